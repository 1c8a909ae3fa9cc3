"""The machine around an interview: Python and its packages, browser, terminal, language model."""

import re
import sys
import webbrowser
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, requires, version

from agent.app.checks.remedies import remedy
from agent.app.checks.result import CheckResult, both, same

LEAST_PYTHON = (3, 11)
LEAST_COLUMNS = 40


def check_python(running: tuple[int, int, int], platform: str) -> CheckResult:
    """Return whether this Python is new enough."""
    found = same(".".join(map(str, running)) + f", {platform}")
    if running[:2] >= LEAST_PYTHON:
        return CheckResult(check="python", state="ok", found=found)
    helps = remedy("python", platform)
    return CheckResult(check="python", state="fail", found=found, remedy=helps)


def check_packages(platform: str) -> CheckResult:
    """Return whether every package that Viva needs is installed; extras are not asked for."""
    needed = [
        found.group()
        for wanted in requires("viva-interview") or ()
        if "extra ==" not in wanted and (found := re.match(r"[\w.-]+", wanted))
    ]
    missing = [name for name in needed if not _installed(name)]
    if not missing:
        found = both(f"all {len(needed)} are installed", f"{len(needed)} 个均已安装")
        return CheckResult(check="packages", state="ok", found=found)
    names = ", ".join(missing)
    return CheckResult(
        check="packages",
        state="fail",
        found=both(f"missing: {names}", f"缺少：{names}"),
        remedy=remedy("packages", platform),
    )


def _installed(name: str) -> bool:
    try:
        return bool(version(name))
    except PackageNotFoundError:
        return False


def check_model(named: Sequence[str]) -> CheckResult:
    """Return what the environment says of language models.

    Args:
        named: The variables that are set.
    """
    if {"VIVA_LLM_BASE_URL", "VIVA_LLM_MODEL"} & {*named}:
        found = both(
            "one takes part in interviews; to ask it what it can do: viva doctor --llm",
            "有一个参与面试；检查它能做什么：viva doctor --llm",
        )
        return CheckResult(check="model", state="ok", found=found)
    en, zh = "none is used: none is needed", "未使用：面试和评分都不需要"
    if named:
        names = ", ".join(named)
        en, zh = f"{en}; {names} is exported and not used", f"{zh}；{names} 已导出，但不会使用"
    return CheckResult(check="model", state="ok", found=both(en, zh))


def check_browser(platform: str) -> CheckResult:
    """Return whether a browser can open the report."""
    try:
        name = getattr(webbrowser.get(), "name", "") or "default"
    except webbrowser.Error:
        return CheckResult(
            check="browser",
            state="warn",
            found=both("none was found for the report", "没有找到可以打开报告的浏览器"),
            remedy=remedy("browser", platform),
        )
    return CheckResult(check="browser", state="ok", found=same(str(name)))


def check_terminal(columns: int, colours: str | None, encoding: str, platform: str) -> CheckResult:
    """Return whether the terminal can show an interview.

    Args:
        columns: Its width.
        colours: Which colours it has; None without any.
        encoding: Of standard output.
        platform: As `sys.platform` names it.
    """
    found = both(
        f"{columns} columns, colours: {colours or 'none'}, {encoding}",
        f"{columns} 列，颜色：{colours or '无'}，{encoding}",
    )
    fault = None
    if not encoding.lower().replace("-", "").startswith(("utf", "gb")):
        fault = "encoding"
    elif columns < LEAST_COLUMNS:
        fault = "narrow terminal"
    return CheckResult(
        check="terminal",
        state="warn" if fault else "ok",
        found=found,
        remedy=remedy(fault, platform) if fault else None,
    )


def running_python() -> tuple[int, int, int]:
    """Return the version that runs."""
    return sys.version_info.major, sys.version_info.minor, sys.version_info.micro

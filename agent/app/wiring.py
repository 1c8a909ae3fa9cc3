"""Which adapter stands behind which port.

Beside this module only `catalog` (what is read), `storage` (where sessions lie), `voices` (who
speaks), `language_model`, `playback` (a recording heard again) and `probes` (what `viva doctor`
looks at) name adapters.
"""

import asyncio
import io
import sys
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TextIO, cast

from agent.adapters.console_keys import ConsoleKeyboard
from agent.adapters.console_text import TypedCandidate
from agent.adapters.file_microphone import FileMicrophone, read_clip
from agent.adapters.pause_file import PauseFile
from agent.adapters.sentence_encoder import UniversalSentenceEncoder
from agent.adapters.sentence_encoder import available as encoder_available
from agent.adapters.silero_vad import SileroVad
from agent.adapters.sounddevice_audio import SounddeviceMicrophone
from agent.adapters.whisper.models import locate
from agent.adapters.whisper.transcriber import WhisperTranscriber
from agent.app.settings import Settings
from agent.domain.assessment import Assessment
from agent.domain.audio import Samples
from agent.domain.errors import ModelUnavailable, SessionUnreadable
from agent.domain.interview import Answer, Correction, ListeningHints, SessionManifest, Turn
from agent.domain.language import Language, LocalizedText
from agent.grading.builtin import BuiltinGrader
from agent.graph.context import Context
from agent.graph.machine import InterviewMachine
from agent.policy.voice_activity import LoudnessDetector
from agent.ports import (
    Foresight,
    Grader,
    Keyboard,
    Microphone,
    SentenceEncoder,
    SessionRecord,
    Wording,
)
from agent.voice.listening import ListeningPipeline
from agent.wording.builtin import BuiltinWording

Notify = Callable[[str], None]


@cache
def encoder() -> SentenceEncoder | None:
    """Return the sentence encoder, where it is installed."""
    return UniversalSentenceEncoder() if encoder_available() else None


def grader() -> BuiltinGrader:
    """Return the builtin grader, with the sentence encoder where it is installed."""
    return BuiltinGrader(encoder())


async def warm_grader(manifest: SessionManifest) -> None:
    """Load what grading the planned questions needs, so that no answer waits for it."""
    planned = [question.localized(manifest.language) for question in manifest.questions]
    await grader().expect(planned)


def machine(
    manifest: SessionManifest,
    records: Sequence[SessionRecord] = (),
    wording: Wording | None = None,
    judge: Grader | None = None,
    ahead: Foresight | None = None,
) -> InterviewMachine:
    """Return the interviewer's mind for a session, begun or gone on with.

    Args:
        manifest: What the session is.
        records: What its log holds.
        wording: Who chooses the words; None: the persona alone.
        judge: Who grades in between; None: the builtin grader.
        ahead: Who gets follow-ups ready while an answer goes on; None: nobody.

    Raises:
        SessionUnreadable: The session's parts do not fit together.
    """
    _check(manifest, [item for item in records if isinstance(item, Turn)])
    context = Context(
        plan=manifest.questions,
        frames={name: frame for frame in manifest.rubric for name in frame.categories},
        persona=manifest.persona,
        language=manifest.language,
        grader=judge or grader(),
        ahead=ahead,
        wording=wording or BuiltinWording(),
        seed=manifest.seed,
        level=manifest.level,
    )
    history = [item for item in records if isinstance(item, Turn | Assessment | Correction)]
    return InterviewMachine(context, history)


def _check(manifest: SessionManifest, turns: Sequence[Turn]) -> None:
    planned = {question.id: question.category for question in manifest.questions}
    judged = {category for frame in manifest.rubric for category in frame.categories}
    asked = {turn.utterance.question_id for turn in turns}
    if not planned:
        problem = LocalizedText(en="it has no questions", zh="它没有题目")
    elif not judged.issuperset(planned.values()):
        problem = LocalizedText(
            en="its rubric has no frame for some of its questions",
            zh="它的评分标准缺少某些题目的框架",
        )
    elif not asked <= planned.keys():
        problem = LocalizedText(
            en="its log has a question that is not in its plan", zh="它的记录里有计划之外的题目"
        )
    elif [turn.number for turn in turns] != list(range(1, len(turns) + 1)):
        problem = LocalizedText(
            en="the turns of its log are not in order", zh="它的记录里轮次顺序不对"
        )
    else:
        return
    raise SessionUnreadable(
        LocalizedText(
            en=f"Session {manifest.id} cannot be held: {problem.en}",
            zh=f"会话 {manifest.id} 无法进行：{problem.zh}",
        ),
        "viva list sessions",
    )


@dataclass
class Ear:
    """The listening side. The model is loaded when first needed.

    Attributes:
        no_detector: Why the voice detector cannot be had: a key must end each answer.
    """

    model: Path
    transcriber: WhisperTranscriber
    pipeline: ListeningPipeline
    no_detector: ModelUnavailable | None = None

    @property
    def model_name(self) -> str:
        """Name of the model, for the session's manifest."""
        return f"{self.model.name} (int8)"

    def close(self) -> None:
        """Let the model go."""
        self.transcriber.close()


def ear(settings: Settings, language: Language, notify: Notify) -> Ear:
    """Find the weights and return the listening side.

    Raises:
        ModelUnavailable: There are no weights; the hint says what to type.
    """
    return _ear_with(locate(settings.whisper, language, settings.models, notify))


def _ear_with(model: Path) -> Ear:
    transcriber = WhisperTranscriber(model)
    try:
        return Ear(model, transcriber, ListeningPipeline(SileroVad(), transcriber))
    except ModelUnavailable as error:
        pipeline = ListeningPipeline(LoudnessDetector(), transcriber)
        return Ear(model, transcriber, pipeline, no_detector=error)


def own_pauses(settings: Settings) -> PauseFile:
    """Return where the speaker's own pauses are kept."""
    return PauseFile(settings.own_pauses)


class Ears:
    """Hears recordings in any language, with the model that suits it, each loaded once."""

    def __init__(self, settings: Settings, notify: Notify) -> None:
        self._settings = settings
        self._notify = notify
        self._by_model: dict[Path, Ear] = {}

    async def hear_file(self, path: Path, language: Language, terms: Sequence[str]) -> Answer:
        """Return what is said in the whole of a recording.

        Raises:
            AudioUnreadable: It cannot be decoded.
            ModelUnavailable: There are no weights for the language.
        """
        clip = await asyncio.to_thread(read_clip, path)
        model = locate(self._settings.whisper, language, self._settings.models, self._notify)
        if model not in self._by_model:
            self._by_model[model] = _ear_with(model)
        hints = ListeningHints(language=language, frame="direct", speech_terms=tuple(terms))
        return (await self._by_model[model].pipeline.hear(clip, hints)).answer

    def close(self) -> None:
        """Let the models go."""
        for listening in self._by_model.values():
            listening.close()


def at_terminal() -> bool:
    """Tell whether a person types at this terminal."""
    stream: TextIO | None = sys.stdin
    return stream is not None and stream.isatty()


def typed_candidate() -> TypedCandidate:
    """Return a candidate who types a line an answer, or sends them through a pipe."""
    stream: TextIO | None = sys.stdin
    if stream is None:  # the caller closed it
        return TypedCandidate(io.StringIO(), None)
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding=None if stream.isatty() else "utf-8", errors="replace")
    return TypedCandidate(stream, sys.stderr if stream.isatty() else None)


def microphone(device: str | None) -> Microphone:
    """Return the microphone of that name or number; None for the system's."""
    return SounddeviceMicrophone(device)


async def probe(source: Microphone) -> None:
    """Wait for the first sound.

    Raises:
        DeviceUnavailable: None can be had.
    """
    async with aclosing(cast("AsyncGenerator[Samples]", source.blocks())) as blocks:
        async for _ in blocks:
            return


def keyboard() -> Keyboard | None:
    """Return the keys of this terminal; None where there is none."""
    return ConsoleKeyboard() if ConsoleKeyboard.available() else None


def recording(path: Path) -> Microphone:
    """Return a recording as a microphone, played as fast as it is listened to."""
    return FileMicrophone(path)

"""The interviewer's voice: spoken where there is a loudspeaker, kept in the session always."""

import asyncio
from collections.abc import Callable

from agent.domain.interview import Utterance
from agent.domain.language import Language, LocalizedText
from agent.policy.session_format import sound_path
from agent.ports import SessionLog
from agent.voice.speaking import SpeakingPipeline

UNHEARD = LocalizedText(
    en="The interviewer cannot be heard ({problem}). The words are on the screen.",
    zh="听不到面试官的声音（{problem}），内容见屏幕。",
)


class SpokenInterviewer:
    """Says utterances aloud and keeps each as a file of the session.

    Args:
        pipeline: The voice.
        log: Where the sound is kept.
        language: Of the interview.
        spoken_before: Utterances that the session already holds, so that names go on from there.
        notify: Told once, in a sentence, when an utterance could not be spoken or heard.
    """

    def __init__(
        self,
        pipeline: SpeakingPipeline,
        log: SessionLog,
        language: Language,
        spoken_before: int,
        notify: Callable[[str], None],
    ) -> None:
        self._pipeline = pipeline
        self._log = log
        self._language: Language = language
        self._count = spoken_before
        self._notify = notify
        self._told = False
        self._writing: asyncio.Future[str] | None = None

    async def say(self, utterance: Utterance) -> Utterance:
        """Speak `utterance`; the text alone remains when no voice can.

        Nobody waits for its file: listening begins with the last sample. The file is there when
        the next call, or `close`, is over.

        Raises:
            StorageUnavailable: The file of this call or of the one before cannot be written.
        """
        self._count += 1
        clip = await self._pipeline.say(utterance.text, self._language)
        problem = self._pipeline.last_problem
        if problem and not self._told:
            self._told = True
            self._notify(UNHEARD.get(self._language).format(problem=problem.rstrip(".。")))
        await self.close()
        if clip is None:
            return utterance
        name = f"{self._count:03d}-interviewer"
        self._writing = asyncio.ensure_future(asyncio.to_thread(self._log.keep_sound, name, clip))
        return utterance.model_copy(update={"audio": sound_path(name)})

    async def close(self) -> None:
        """Wait for the file that is being written.

        Raises:
            StorageUnavailable: It cannot be written.
        """
        writing, self._writing = self._writing, None
        if writing is not None:
            await asyncio.shield(writing)

"""A spoken answer, from the microphone into the session folder."""

from agent.domain.errors import AudioUnreadable
from agent.domain.interview import Answer, ListeningHints
from agent.ports import Microphone, SessionLog
from agent.voice.listening import ListeningPipeline


async def spoken_answer(
    pipeline: ListeningPipeline,
    microphone: Microphone,
    hints: ListeningHints,
    log: SessionLog,
    name: str,
    source: str | None = None,
) -> Answer:
    """Listen to one answer and keep its sound as `name`.

    A recording that cannot be decoded is an answer too: one that could not be read.
    """
    try:
        heard = await pipeline.listen(microphone, hints)
    except AudioUnreadable as error:
        return Answer.unreadable(error.reason, source)
    audio = log.keep_sound(name, heard.recording) if len(heard.recording.samples) else None
    return heard.answer.model_copy(update={"audio": audio, "source": source})

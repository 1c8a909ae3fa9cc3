"""The interviewer's mouth: text in, speech out, sentence by sentence."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest

import numpy as np

from agent.domain.audio import AudioClip, Samples
from agent.domain.errors import DeviceUnavailable, SynthesisFailed
from agent.domain.language import Language, LocalizedText
from agent.policy.sentences import split_sentences
from agent.ports import Speaker, Synthesizer

NO_VOICE = LocalizedText(en="there is no voice for {language}", zh="没有 {language} 的语音")
LEAD_S = 0.02
LEAD_LEVEL = 0.01
"""Of the loudest sample: what is quieter, before the first word, is not worth a wait."""
LOSSES_BORNE = 2
"""Texts in a row in which the loudspeaker was lost: after them it is not tried any more."""


class SpeakingPipeline:
    """Speaks one text at a time; a sentence is synthesised while the one before it is heard.

    Args:
        synthesizers: The voices of each language, best first; the next one takes over a
            sentence that the one before it could not speak.
        speaker: Where it is heard; None only makes the sound.
        cut: Cuts a text into the pieces that are synthesised one by one.

    Attributes:
        last_problem: Why the last text was not, or not wholly, spoken or heard, in its language.
    """

    def __init__(
        self,
        synthesizers: Mapping[Language, Sequence[Synthesizer]],
        speaker: Speaker | None,
        cut: Callable[[str, Language], Sequence[str]] = split_sentences,
    ) -> None:
        self._synthesizers = synthesizers
        self._cut = cut
        self._speaker = speaker
        self._losses = 0
        self.last_problem: str | None = None

    async def say(self, text: str, language: Language) -> AudioClip | None:
        """Speak `text` to its end; when cancelled, the sound stops and nothing goes on.

        Returns:
            All that was spoken, or None when nothing could be.
        """
        self.last_problem = None
        sentences = [
            sentence
            for sentence in self._cut(text, language)
            if any(character.isalnum() for character in sentence)
        ]
        clips: list[AudioClip] = []
        ahead: asyncio.Task[AudioClip | None] | None = None
        heard = self._speaker is not None
        try:
            for sentence, following in zip_longest(sentences, sentences[1:]):
                clip = await (ahead or self._synthesize(sentence, language))
                if following:
                    ahead = asyncio.create_task(self._synthesize(following, language))
                if clip is not None:
                    clip = clip if clips else without_lead(clip)
                    clips.append(clip)
                    heard = heard and await self._play(clip, language)
        finally:
            if ahead is not None:
                ahead.cancel()
                await asyncio.gather(ahead, return_exceptions=True)
        return joined(clips) if clips else None

    async def _synthesize(self, sentence: str, language: Language) -> AudioClip | None:
        problem = NO_VOICE.get(language).format(language=language)
        for synthesizer in self._synthesizers.get(language, ()):
            try:
                clip = await synthesizer.synthesize(sentence, language)
            except SynthesisFailed as error:
                problem = error.text(language)
            else:
                return clip if len(clip.samples) else None
        self.last_problem = problem
        return None

    async def _play(self, clip: AudioClip, language: Language) -> bool:
        """Play `clip`; False when the speaker is gone, for the rest of the text at least."""
        assert self._speaker is not None  # noqa: S101 - for the type checker
        try:
            await self._speaker.play(clip)
        except DeviceUnavailable as error:
            self.last_problem = error.text(language)
            self._losses += 1
            if self._losses == LOSSES_BORNE:
                self._speaker = None
            return False
        self._losses = 0
        return True


def without_lead(clip: AudioClip) -> AudioClip:
    """Return `clip` without the silence that some voices put before the first word."""
    level = np.abs(clip.samples)
    first = int(np.argmax(level >= LEAD_LEVEL * level.max()))
    return AudioClip(
        clip.samples[max(0, first - round(LEAD_S * clip.sample_rate)) :], clip.sample_rate
    )


def joined(clips: Sequence[AudioClip]) -> AudioClip:
    """Return clips one after the other, at the highest of their rates.

    Going up in rate folds nothing back into the band, so straight lines between samples do.
    """
    rate = max(clip.sample_rate for clip in clips)
    return AudioClip(np.concatenate([_at_rate(clip, rate) for clip in clips]), rate)


def _at_rate(clip: AudioClip, rate: int) -> Samples:
    if clip.sample_rate == rate:
        return clip.samples
    count = round(len(clip.samples) * rate / clip.sample_rate)
    places = np.arange(count) * (clip.sample_rate / rate)
    return np.interp(places, np.arange(len(clip.samples)), clip.samples).astype(np.float32)

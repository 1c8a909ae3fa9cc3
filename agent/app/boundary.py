"""The one boundary where failures become sentences and exit codes."""

import sys
import traceback
from typing import Any

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from agent.app import reader
from agent.app.help_texts import mistake, speak
from agent.app.reader import reader_language
from agent.domain.errors import VivaError
from agent.domain.language import LocalizedText

INTERRUPTED = LocalizedText(en="Interrupted.", zh="已中断。")
REFUSED = LocalizedText(en="The system refused: {error}", zh="系统拒绝：{error}")
UNEXPECTED = LocalizedText(en="This should not have happened: {error}", zh="这不应该发生：{error}")
TRY = LocalizedText(en="Try: {hint}", zh="试试：{hint}")


class Boundary(TyperGroup):
    """Turns every failure of a command into a sentence and an exit code."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any
    ) -> Any:
        """Read the command line, and let the help speak the reader's language."""
        reader.speak(reader.asked_for(args))
        speak(self, reader_language())
        try:
            return super().make_context(info_name, args, parent, **extra)
        except TyperException as error:
            _localize(error)
            raise

    def invoke(self, ctx: Any) -> Any:
        """Run the command; with `--debug` a failure also shows where it came from."""
        try:
            return super().invoke(ctx)
        except (typer.Exit, typer.Abort):
            raise
        except TyperException as error:
            _localize(error)
            raise
        except VivaError as error:
            self._trace(ctx)
            self._say(error.text(reader_language()), error.hint)
            raise typer.Exit(error.exit_code) from error
        except KeyboardInterrupt as error:
            self._say(_words(INTERRUPTED), None)
            raise typer.Exit(130) from error
        except BrokenPipeError as error:
            sys.stderr.close()  # nobody reads any more; say nothing at exit either
            raise typer.Exit(1) from error
        except OSError as error:
            self._trace(ctx)
            self._say(_words(REFUSED).format(error=error), None)
            raise typer.Exit(1) from error
        except Exception as error:
            self._trace(ctx)
            self._say(
                _words(UNEXPECTED).format(error=f"{type(error).__name__}: {error}"),
                f"viva --debug {' '.join(sys.argv[1:])}",
            )
            raise typer.Exit(1) from error

    @staticmethod
    def _say(message: str, hint: str | None) -> None:
        print(message, file=sys.stderr)
        if hint:
            print(_words(TRY).format(hint=hint), file=sys.stderr)

    @staticmethod
    def _trace(ctx: Any) -> None:
        if ctx.params.get("debug"):
            traceback.print_exc()


def _localize(error: TyperException) -> None:
    """Let what Typer found wrong be said in the reader's language."""
    if reader_language() == "zh":
        said = mistake(error.format_message())
        error.format_message = lambda: said


def _words(text: LocalizedText) -> str:
    return text.get(reader_language())

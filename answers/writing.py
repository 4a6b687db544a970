"""One attempt of a model at an answer: ask, read, check, save; repair once; judge the whole.

    stream -> protocol -> checking -> rows (pending) -> stored lines compared -> rows (checked)

A statement is saved the moment it is complete and holds. Repaired ones stand at the end, so that
nothing moves that is being read. Whatever happens, the answer ends in a state with words.
"""

import math
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from answers import claims, prompting, repairs, saving, spare, voice
from answers.checking import Checker, Failed, Place, Reason
from answers.citations import Sent, Verdict
from answers.counting import Came
from answers.drafts import Checked, Draft, Kind
from answers.growing import Growing
from answers.llm import Asked, prompt_for
from answers.models import Answer, Evidence
from answers.prompting import Block, Prompt
from answers.protocol import Proposed, ReplyParser
from answers.stored import table_of
from outbound.asking import SentRange
from outbound.failures import ContextTooLong, ModelFailed

# What another try may put right; a statement without content or a lone heading is not missed.
REPAIRABLE = frozenset(
    {Reason.UNCITED, Reason.QUOTES, Reason.NAMES, Reason.MARKUP, Reason.CODE, Reason.SHAPE}
)
# Nothing that could be judged: no statement at all.
FORMLESS = frozenset({Reason.SHAPE, Reason.EMPTY})
LOOK_SECONDS = 0.5  # between two looks whether the answer is still wanted
LONGEST = 5  # times as long as a model may be silent; then its reply is ended
PROMPTS = 3  # that are tried, each half of the one before, where a model says it reads less
SURVIVING = 0.5  # of the proposed statements; less gives a warning

Failure = tuple[Draft | None, Failed]


@dataclass(slots=True)
class Writer:
    """Writes one claimed answer. Raises claims.ClaimLost where it is no longer wanted."""

    answer: Answer
    started: float  # time.monotonic() at the question, as near as this process can tell
    proposed: int = 0
    kept: int = 0
    failures: list[Failure] = field(default_factory=list)
    replies: list[Came] = field(default_factory=list)  # one a call, the newest last
    _said: set[str] = field(default_factory=set)
    _heading: Checked | None = None
    _looked: float = 0.0
    _is_late: bool = False

    def write(self) -> None:
        evidence = list(self.answer.evidence.select_related("repository").order_by("ordinal"))
        blocks = [_block(row) for row in evidence]
        window = 0
        for _try in range(PROMPTS):
            prompt = prompt_for(self.answer.question.understood, blocks, window=window)
            if not prompt.blocks:
                break
            sent = _sent_rows(evidence, prompt)
            saving.mark_sent(self.answer, [row for row, _block_ in sent])
            try:
                self._ask(prompt, sent)
            except ContextTooLong:
                window = prompt.tokens // 2
            else:
                return
        self.give_extracts(_("The model reads too little at once for a single piece of evidence."))

    def _ask(self, prompt: Prompt, sent: Sequence[tuple[Evidence, Block]]) -> None:
        checker = _checker(self.answer, sent)
        growing = Growing(self.answer, {row.label: row for row, _block_ in sent})
        asked = Asked(self.answer, prompt, [_range(row, block) for row, block in sent])
        parser = ReplyParser(["\n".join(block.lines) for block in prompt.blocks])
        ends = math.inf
        self.replies.append(Came())
        self._note("prompt")
        try:
            with asked.reply() as pieces:
                for piece in pieces:
                    self.replies[-1].call = asked.call
                    growing.read_stored()  # the first time; what the model says waits meanwhile
                    # From its first words: what it is waited for before has limits of its own.
                    ends = min(ends, time.monotonic() + LONGEST * settings.MODEL_TIMEOUT_SECONDS)
                    self._take(parser.feed(piece), checker, growing)
                    self._look()
                    self._is_late = time.monotonic() > ends
                    if parser.is_full or self._is_late:
                        break
            self._take(parser.finish(), checker, growing)
            self._named(asked)
            if not self._is_late:
                self._repair(asked, parser, checker, growing)
        except ContextTooLong:
            raise  # before anything was said: it is asked with less
        except ModelFailed as failure:
            self._named(asked)
            self._broken(str(failure))
            return
        self._end(parser, asked)

    def _take(self, proposed: Iterable[Proposed], checker: Checker, growing: Growing) -> None:
        for one in proposed:
            self._judge(one, checker, growing)

    def _judge(self, one: Proposed, checker: Checker, growing: Growing) -> None:
        if one.draft is not None and one.draft.text in self._said:
            return  # said twice, as a repair does and a model that goes round in circles
        is_heading = one.draft is not None and one.draft.kind == Kind.HEADING
        self.proposed += not is_heading
        checked = _checked(one, checker)
        if isinstance(checked, Failed):
            if not is_heading:
                self._fail(one.draft, checked)
        elif is_heading:
            # Held back until a statement that holds follows it.
            self._heading = checked
        else:
            self._save(checked, checker, growing)

    def _fail(self, draft: Draft | None, failed: Failed) -> None:
        self.failures.append((draft, failed))
        self.replies[-1].count(failed.verdicts, left_out=failed.reason)

    def _save(self, checked: Checked, checker: Checker, growing: Growing) -> None:
        heading, self._heading = self._heading, None
        shown = [checked]
        if heading is not None and checker.heading_fits(heading, checked):
            shown.insert(0, heading)
        came = self.replies[-1]
        if growing.add(shown, came.recorded):
            self.kept += 1
            came.count(checked.verdicts)
            self._said.update(one.text for one in shown)
            self._note("first")
        else:
            nothing_stands = (Verdict.REJECTED,) * len(checked.verdicts)
            self._fail(None, Failed(Reason.EMPTY, verdicts=nothing_stands))

    def _look(self) -> None:
        if time.monotonic() - self._looked >= LOOK_SECONDS:
            self._looked = time.monotonic()
            if not claims.holds(self.answer):
                raise claims.ClaimLost

    def _repair(
        self, asked: Asked, parser: ReplyParser, checker: Checker, growing: Growing
    ) -> None:
        """The one further call, where it may help. Its failure leaves what there is."""
        if parser.says_unanswerable and not self.kept:
            return
        wrong = [one for one in self.failures if one[1].reason in REPAIRABLE]
        if wrong:
            said, words = prompting.repair(wrong)
        elif self._may_be_put_right(asked, parser):
            said, words = prompting.again(parser.text, asked.prompt.blocks)
        else:
            return
        self._look()
        try:
            reply = asked.repair(said, words)
        except ModelFailed:
            return
        # The failures it was told of are replaced; those that fail again are dropped for good.
        before, second = self.proposed, ReplyParser()
        self.replies.append(Came(reply.call))
        self._take(second.feed(reply.text), checker, growing)
        self._take(second.finish(), checker, growing)
        if wrong:
            self.proposed = before

    def _may_be_put_right(self, asked: Asked, parser: ReplyParser) -> bool:
        """Whether telling the model that its reply could not be read is worth a second call: not
        where the reply was cut, since the next one would be, nor where it has not helped lately."""
        if parser.proposed or parser.is_full or _is_cut(asked):
            return False
        if voice.is_evaluated():
            return True
        return repairs.have_helped(asked.call.model if asked.call else "")

    def _named(self, asked: Asked) -> None:
        """Which model it was, where the fallback has answered."""
        if asked.call is not None and asked.call.model != self.answer.model:
            self.answer.model = asked.call.model
            saving.update(self.answer, model=self.answer.model)

    def _note(self, moment: str) -> None:
        if moment not in self.answer.timings:
            self.answer.timings[moment] = round((time.monotonic() - self.started) * 1000)

    # --- how it ends ------------------------------------------------------------------------

    def _end(self, parser: ReplyParser, asked: Asked) -> None:
        if self.kept:
            self._finish(Answer.State.DONE, self._warning(self._why_cut(parser, asked)))
        elif parser.says_unanswerable:
            words = _("The model read these lines and found no answer in them.")
            self._finish(Answer.State.ABSTAINED, words)
        elif any(failed.reason not in FORMLESS for _draft, failed in self.failures):
            words = _("Nothing that the model said is carried by the lines it was sent.")
            self._finish(Answer.State.ABSTAINED, words)
        elif self._is_late:
            self.give_extracts(_("The model took too long."))
        else:
            self.give_extracts(_("The model's reply could not be read as an answer."))

    def _broken(self, message: str) -> None:
        """The provider failed: what was checked is kept, else the evidence speaks for itself."""
        if not self.kept:
            self.give_extracts(message)
            return
        words = _("The answer is not complete: %(reason)s What is here was checked.")
        self._finish(Answer.State.DONE, words % {"reason": message})

    def give_extracts(self, reason: str) -> None:
        with claims.writing(self.answer):
            shown = spare.show(self.answer)
        state = Answer.State.DONE if shown else Answer.State.ABSTAINED
        self.answer.model = ""
        self._finish(state, "", error=reason)

    def _finish(self, state: str, warning: str, error: str = "") -> None:
        with transaction.atomic():
            ended = claims.end(
                self.answer,
                state,
                warning=warning,
                error=error,
                model=self.answer.model,
                proposed=self.proposed,
                dropped=max(self.proposed - self.kept, 0),
                timings=self.answer.timings,
                milliseconds=round((time.monotonic() - self.started) * 1000),
            )
            if not ended:
                raise claims.ClaimLost
            saving.add_replies(self.answer, self.replies)

    def _why_cut(self, parser: ReplyParser, asked: Asked) -> str:
        """Why the reply ends before its end; "" where it does not."""
        if self._is_late:
            return _("The answer took too long and ends early.")
        if parser.is_stuck:
            return _("The model repeated itself, so the answer ends early.")
        if parser.is_full or parser.is_broken or _is_cut(asked):
            return _("The answer was too long and ends early.")
        return ""

    def _warning(self, why_cut: str) -> str:
        words = []
        if self.kept < SURVIVING * self.proposed:
            words.append(
                _(
                    "Fewer than half of what the model said is carried by the code; "
                    "the rest is left out."
                )
            )
        return " ".join(filter(None, [*words, why_cut]))


def _is_cut(asked: Asked) -> bool:
    return asked.completion is not None and asked.completion.stopped_by != "stop"


def _checked(one: Proposed, checker: Checker) -> Checked | Failed:
    if one.draft is None:
        return Failed(Reason(one.fault) if one.fault else Reason.SHAPE)
    return checker.check(one.draft)


def _checker(answer: Answer, sent: Sequence[tuple[Evidence, Block]]) -> Checker:
    return Checker(
        sent={row.label: Sent(block.start_line, block.lines) for row, block in sent},
        places={row.label: Place(row.path, row.symbol) for row, _block_ in sent},
        question=answer.question.understood,
        known=table_of(row for row, _block_ in sent).known,
    )


def _block(row: Evidence) -> Block:
    return Block(row.label, row.path, row.symbol, row.start_line, row.text.split("\n"))


def _sent_rows(evidence: Sequence[Evidence], prompt: Prompt) -> list[tuple[Evidence, Block]]:
    rows = {row.label: row for row in evidence}
    return [(rows[block.label], block) for block in prompt.blocks]


def _range(row: Evidence, block: Block) -> SentRange:
    return SentRange(
        row.repository_id,
        row.repository.slug,
        row.commit,
        row.path,
        block.start_line,
        block.end_line,
    )

import pytest

from answers.relevance import ENOUGH, FLOOR, NEUTRAL, relevance, said_terms


def scored(terms, held, counts, cosine=None):
    return relevance(terms, held, chunks=1_000, counts=counts, cosine=cosine)


def test_all_words_in_one_piece_is_all():
    found = scored(["session", "cooki"], [{"session", "cooki"}], {"session": 9, "cooki": 4})
    assert found.score == pytest.approx(1.0)
    assert found.is_enough is True


def test_words_that_occur_nowhere_lower_the_score():
    found = scored(["pod", "session"], [{"session"}], {"session": 9})
    assert found.unknown == ("pod",)
    assert found.score < FLOOR
    assert found.is_enough is False


def test_words_scattered_over_pieces_are_less_than_together():
    counts = {"a": 5, "b": 5, "c": 5, "d": 5}
    together = scored([*"abcd"], [{*"abcd"}], counts)
    scattered = scored([*"abcd"], [{"a"}, {"b"}, {"c"}, {"d"}], counts)
    assert together.score > 0.9 > FLOOR > scattered.score


def test_a_long_question_needs_enough_and_not_all():
    terms = [f"t{n}" for n in range(40)]
    counts = dict.fromkeys(terms, 5)
    found = scored(terms, [set(terms[:6])], counts)
    assert found.weights[0] > ENOUGH
    assert found.score == pytest.approx(1.0)


def test_a_near_meaning_helps_and_a_far_one_hurts():
    plain = scored(["a", "b"], [{"a"}], {"a": 5, "b": 5}).score
    assert scored(["a", "b"], [{"a"}], {"a": 5, "b": 5}, 0.6).score == pytest.approx(
        plain + 0.6 - NEUTRAL
    )
    assert scored(["a", "b"], [{"a"}], {"a": 5, "b": 5}, 0.1).score < plain


def test_words_that_only_another_repository_has_are_not_known():
    counts = {"a": 5, "b": 5, "c": 5, "d": 5}
    held, terms = [{"a", "b"}, {"d"}], [*"abcd"]
    alone = relevance(terms, held, chunks=1_000, counts=counts)
    several = relevance(terms, held, chunks=1_000, counts=counts, homes=[{"a", "b"}, {"c", "d"}])
    assert several.score == pytest.approx(alone.score / 2)
    assert several.unknown == ()


def test_the_best_repository_decides():
    counts = {"a": 5, "b": 5, "c": 5}
    held = [{"a", "b"}, {"a", "b", "c"}]
    homes = [{"a", "b"}, {"a", "b", "c"}]
    found = relevance([*"abc"], held, chunks=1_000, counts=counts, homes=homes)
    assert found.score == pytest.approx(1.0)
    assert found.known == pytest.approx(1.0)


def test_no_words_are_no_relevance():
    assert scored([], [set()], {}).score == 0.0


def test_only_pieces_that_hold_enough_are_quoted():
    counts = {"a": 5, "b": 5, "c": 5}
    found = scored([*"abc"], [{*"abc"}, {"a", "b"}, {"a"}], counts)
    assert [found.worth(place) for place in range(3)] == [True, True, False]


def test_a_hyphen_joins_two_words_and_an_apostrophe_none():
    assert said_terms("What is the ASCII-only provider's setting?") == {
        "ascii": "ASCII",
        "provid": "provider",
        "set": "setting",
    }


def test_an_identifier_asks_for_itself_and_its_parts():
    assert list(said_terms("Why open_session?")) == ["open", "session", "opensess"]
    assert set(said_terms("Why open_session?").values()) == {"open_session"}

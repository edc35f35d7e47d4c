"""Reads `variant=`: `renamed`, or `renamed:seed=2,style=plausible`."""

from __future__ import annotations

from executor.manifest.variant.values import STYLES, VariantSpec
from index.errors import ConfigError
from index.user_files import make_spelling_hint

_KEYS = ("style", "seed", "files", "locals")
_FLAGS = {"true": True, "false": False}


def parse_renamed_variant_setting(text: str) -> VariantSpec:
    """Raises ConfigError: one line that names the word and the fix."""
    kind, _, settings = text.strip().partition(":")
    if kind != "renamed":
        raise ConfigError(
            f"variant: unknown variant {kind!r}{make_spelling_hint(kind, ['renamed'])}; there is renamed"
        )
    given: dict[str, str] = {}
    for word in filter(None, (word.strip() for word in settings.split(","))):
        key, sign, value = (part.strip() for part in word.partition("="))
        if not sign or key not in _KEYS:
            raise ConfigError(
                f"variant: {word!r}: give {', '.join(_KEYS)} as key=value{make_spelling_hint(key, _KEYS)}"
            )
        if key in given:
            raise ConfigError(f"variant: {key} is given twice")
        given[key] = value
    return make_variant_spec(
        given.get("style", "nonsense"),
        given.get("seed", "1"),
        _read_boolean_setting("files", given),
        _read_boolean_setting("locals", given),
    )


def make_variant_spec(style: str, seed: str, files: bool = False, with_locals: bool = False) -> VariantSpec:
    """The spec of these settings. Raises ConfigError for an unknown style, and a seed that is no whole number."""
    known = next((name for name in STYLES if name == style), None)
    if known is None:
        raise ConfigError(
            f"variant: unknown style {style!r}{make_spelling_hint(style, STYLES)} (known: {', '.join(STYLES)})"
        )
    if not (seed.isascii() and seed.isdigit()):
        raise ConfigError(f"variant: seed {seed!r} must be a whole number, 0 or more")
    return VariantSpec(known, int(seed), files, with_locals)


def _read_boolean_setting(key: str, given: dict[str, str]) -> bool:
    text = given.get(key, "false").lower()
    if text not in _FLAGS:
        raise ConfigError(f"variant: {key} must be true or false, not {text!r}")
    return _FLAGS[text]

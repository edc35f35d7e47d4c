"""Source packages by apt. Prevents: the version of a signature's program taken for the package's."""

from __future__ import annotations

from executor.repository.apt import read_dsc_fields

_SIGNED = """\
-----BEGIN PGP SIGNED MESSAGE-----
Hash: SHA256

Format: 3.0 (quilt)
Source: toy
Version: 1:1.0-2
Package-List:
 toy deb net extra arch=any

-----BEGIN PGP SIGNATURE-----
Version: GnuPG v1.4.12 (GNU/Linux)

iQIcBAEBCAAGBQJYSIb2AAoJELCi8amz5hIsP0YQ
-----END PGP SIGNATURE-----
"""


def test_the_version_is_the_packages() -> None:
    fields = read_dsc_fields(_SIGNED)
    assert (fields["Source"], fields["Version"]) == ("toy", "1:1.0-2")

class PupilLsp < Formula
  desc "Language server, type checker and formatter for Puppet and OpenVox"
  homepage "@REPOSITORY@"
  version "@VERSION@"
  license "@LICENSE@"

  on_macos do
    on_arm do
      url "@RELEASE@/pupil-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA256 pupil-aarch64-apple-darwin.tar.gz@"
    end
    on_intel do
      url "@RELEASE@/pupil-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA256 pupil-x86_64-apple-darwin.tar.gz@"
    end
  end

  on_linux do
    on_arm do
      url "@RELEASE@/pupil-aarch64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256 pupil-aarch64-unknown-linux-musl.tar.gz@"
    end
    on_intel do
      url "@RELEASE@/pupil-x86_64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256 pupil-x86_64-unknown-linux-musl.tar.gz@"
    end
  end

  def install
    bin.install "pupil"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/pupil --version")
    (testpath/"site.pp").write "notice(1 / 0)\n"
    assert_match "division-by-zero", shell_output("#{bin}/pupil check site.pp", 1)
  end
end

/** Tokens per UTF-16 code unit: below the given code, a character needs about this many. */
const TOKENS_PER_CHARACTER: ReadonlyArray<{ below: number; tokens: number }> = [
  { below: 0x80, tokens: 0.25 },
  // Latin letters with accents, Greek, Cyrillic, Hebrew, Arabic and the scripts of India.
  { below: 0x2e80, tokens: 0.5 },
  // Chinese, Japanese, Korean, and everything that needs two code units.
  { below: Infinity, tokens: 1 },
]

/** A rough estimate of how many tokens a language model counts for a text. It is not rounded, so it can be summed. */
export function estimateTokens(text: string): number {
  let tokens = 0
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    tokens += TOKENS_PER_CHARACTER.find(({ below }) => code < below)?.tokens ?? 1
  }
  return tokens
}

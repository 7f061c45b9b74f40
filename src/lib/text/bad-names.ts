/** The kinds of names that people choose, each with its rules in words. */
const NAME_KINDS = {
  project: {
    noun: 'project name',
    canHaveFolders: false,
    rule: 'Use 1 to 64 letters, digits, spaces, dots, hyphens or underscores, with a letter or digit at both ends',
    allowed: /[\p{L}\p{M}\p{Nd} ._-]/u,
    maxChars: 64,
  },
  document: {
    noun: 'document name',
    canHaveFolders: true,
    rule: 'Use a name such as “handbook/travel.md”, with at most 180 bytes between two slashes',
    allowed: /[^\p{Cc}\p{Cf}\\|:"<>?*]|[\u200c\u200d]/u,
    maxChars: 500,
  },
  prompt: {
    noun: 'prompt name',
    canHaveFolders: true,
    rule: 'Use letters, digits, hyphens and underscores, and begin each part with a letter or digit',
    allowed: /[A-Za-z0-9_-]/,
    maxChars: 128,
  },
  task: {
    noun: 'task name',
    canHaveFolders: false,
    rule: 'Use 1 to 64 letters, digits, dots, hyphens or underscores, and begin with a letter or digit',
    allowed: /[A-Za-z0-9._-]/,
    maxChars: 64,
  },
  account: {
    noun: 'bot account name',
    canHaveFolders: false,
    rule: 'Use 1 to 64 letters, digits, spaces, or any of . _ @ -, and begin with a letter or digit',
    allowed: /[\p{L}\p{N} ._@-]/u,
    maxChars: 64,
  },
} as const satisfies Record<
  string,
  { noun: string; canHaveFolders: boolean; rule: string; allowed: RegExp; maxChars: number }
>

export type NameKind = keyof typeof NAME_KINDS

/** The problems that a name can have. The first that applies is reported. Each text says what it is and what to do. */
const PROBLEMS: ReadonlyArray<
  (name: string, kind: (typeof NAME_KINDS)[NameKind]) => string | null
> = [
  (name, { noun }) => (name.trim() === '' ? `Enter a ${noun}` : null),
  (name, { noun }) => {
    const dots = name.split(/[/\\]/).find((part) => /^\.+$/.test(part))
    return dots === undefined
      ? null
      : `“${dots}” means another folder, so a ${noun} can’t contain it. Leave it out`
  },
  (name, { noun, canHaveFolders }) =>
    !canHaveFolders && name.includes('/')
      ? `A ${noun} can’t contain “/”. Use a hyphen instead`
      : null,
  (name, { noun, canHaveFolders }) =>
    canHaveFolders && name.split('/').includes('')
      ? `A ${noun} can’t begin or end with “/” or contain “//”`
      : null,
  (name, { noun }) =>
    name.split('/').some((part) => part.startsWith('.'))
      ? `A ${noun} can’t begin with a dot. Begin with a letter or digit`
      : null,
  (name, { noun, maxChars }) =>
    Array.from(name).length > maxChars
      ? `This ${noun} is too long. Use at most ${maxChars} characters`
      : null,
  (name, { noun, allowed }) => {
    const character = Array.from(name).find((each) => each !== '/' && !allowed.test(each))
    return character === undefined ? null : `A ${noun} can’t contain ${quote(character)}`
  },
]

/** Why a name of this kind is refused, as a sentence without a full stop. The rule if no single problem explains it. */
export function explainBadName(kind: NameKind, name: string): string {
  const rules = NAME_KINDS[kind]
  for (const find of PROBLEMS) {
    const problem = find(name, rules)
    if (problem !== null) return problem
  }
  return rules.rule
}

/** Invisible characters are named by their code, because a reader would see nothing. */
function quote(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(character)
    ? `“${character}”`
    : character === ' '
      ? 'a space'
      : `the invisible character U+${code}`
}

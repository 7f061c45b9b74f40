import type { ActionForm, TaskOwner } from './language-rules.ts'

/** The forms of a language's task verbs, each as the alternatives of a pattern. */
export type VerbForms = Record<(typeof FORMS)[number], string>

/**
 * "Send", "I send", "he sends", and where the language has one word for them, "I will send" and "he will send". Each can
 * be several alternatives.
 */
const FORMS = ['infinitive', 'first', 'third', 'futureFirst', 'futureThird', 'imperative'] as const

/** Derives the forms of a regular verb from its infinitive. */
export type Conjugation = (infinitive: string) => VerbForms

/** How a language says in the future tense that a person does something with an object. All texts are patterns. */
type FutureTense = {
  /** "I will", with a space at the end. */
  speaker: string
  /** What follows a name, such as "will", with a space at the end. */
  named: string
  /** Articles and numbers before an object, with a space or an apostrophe at the end. */
  article: string
  infinitive: string
  /** Infinitives that promise nothing, or that happen during the call. */
  noTask: string
  /** Objects that belong to the call, such as the screen. */
  callObject: string
  /** True if the verb follows its object, as in "ich werde die Liste löschen". */
  isVerbLast?: boolean
}

/** A few words of the object, for languages with the verb at the end. */
const OBJECT_WORDS = '(?:[^\\s,;:!?]{1,30} ){1,6}?'
const CLAUSE_END = '(?=[.,;!]|$| und | and )'

/**
 * `regular` lists infinitives. A row of `irregular` lists infinitive, first, third, future first, future third and
 * imperative. `-` stands for the regular form, and a form may list alternatives.
 */
export function buildVerbForms(
  regular: string,
  irregular: readonly string[],
  conjugate: Conjugation,
): VerbForms {
  const verbs = [
    ...regular.trim().split(/\s+/).map(conjugate),
    ...irregular.map((row) => readRow(row, conjugate)),
  ]
  return toForms((form) =>
    [...new Set(verbs.flatMap((verb) => verb[form].split('|')))]
      .toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1))
      .join('|'),
  )
}

function readRow(row: string, conjugate: Conjugation): VerbForms {
  const listed = row.trim().split(/\s+/)
  const regular = conjugate(listed[0] ?? '')
  return toForms((form, index) => {
    const text = listed[index]
    return text === undefined || text === '-' ? regular[form] : text
  })
}

function toForms(find: (form: keyof VerbForms, index: number) => string): VerbForms {
  return Object.fromEntries(FORMS.map((form, index) => [form, find(form, index)])) as VerbForms
}

/** The regular verbs of Spanish and Portuguese, which differ in "I will send": "enviaré", "enviarei". */
export function conjugateIberian(futureFirst: string): Conjugation {
  return (infinitive) => {
    const stem = infinitive.slice(0, -2)
    const [third, subjunctive] = infinitive.endsWith('ar') ? ['a', 'e'] : ['e', 'a']
    return {
      infinitive,
      first: `${stem}o`,
      third: `${stem}${third}`,
      futureFirst: `${infinitive}${futureFirst}`,
      futureThird: `${infinitive}a`,
      imperative: `${stem}${third}|${stem}${subjunctive}`,
    }
  }
}

/** Up to ten words within a clause. Limited, so that no text makes a pattern slow. */
export const FEW_WORDS = '(?:[^\\s,;:!?]{1,30} ){0,10}?'
/** The name of the person who gets a task. */
export const WHO = '(?<who>@+)'

/** The flag `d` gives the position of the name. */
const globalPattern = (source: string) => new RegExp(source, 'gd')

type FormOptions = Omit<ActionForm, 'pattern' | 'owner'>

const formsOf =
  (owner: TaskOwner) =>
  (pattern: string | RegExp, options: FormOptions = {}): ActionForm => ({
    pattern: typeof pattern === 'string' ? globalPattern(pattern) : pattern,
    owner,
    ...options,
  })

/** A way to promise, ask for or assign a task, by whose task it is. */
export const bySpeaker = formsOf('speaker')
export const byNamed = formsOf('named')
export const byAddressed = formsOf('addressed')
export const byNobody = formsOf('nobody')
export const IF_DUE = { needsDueDate: true } as const
export const QUESTION = { canBeQuestion: true } as const

/** Words that rule a task out: negated, doubtful, conditional, reported, habitual, or small talk. */
type NoTaskWords = {
  /** In the clause before the match. */
  doubt: RegExp
  /** Anywhere before the match. */
  condition: RegExp
  /** In the match, and after it up to the next comma. */
  notAfter: RegExp
  /** Polite words of the match in which `notAfter` would find a negation. */
  polite?: RegExp
  /** Anywhere after the beginning of the match. */
  conditionAfter?: RegExp
  /** At the beginning of the match. */
  smallTalk: RegExp
}

export function createRuledOutTest(words: NoTaskWords) {
  const { doubt, condition, notAfter, polite, conditionAfter, smallTalk } = words
  return (before: string, matchAndAfter: string): boolean => {
    const near = before.slice(-200)
    const lastClause = near.split(/[,;:]/).at(-1) ?? ''
    const [firstClause = ''] = /^[^,;:]{0,300}/.exec(matchAndAfter) ?? []
    return (
      doubt.test(lastClause) ||
      condition.test(near) ||
      notAfter.test(polite === undefined ? firstClause : firstClause.replace(polite, '')) ||
      conditionAfter?.test(matchAndAfter) === true ||
      smallTalk.test(matchAndAfter)
    )
  }
}

/**
 * "I will reproduce the bug": any verb with an object is a task, except the listed ones. Most other forms accept only
 * the language's task verbs, because people also use those forms for what they are doing now.
 */
export function createFutureForms(tense: FutureTense): ActionForm[] {
  const { speaker, named, article, infinitive, noTask, callObject, isVerbLast = false } = tense
  const verb = `(?!(?:${noTask})\\b)${infinitive}`
  const object = `(?:${article})(?!(?:${callObject})\\b)`
  const task = isVerbLast
    ? `${object}${OBJECT_WORDS}${verb}${CLAUSE_END}`
    : `${verb} ${object}(?=[^\\s.,;!?])`
  return [bySpeaker(`\\b(?:${speaker})${task}`), byNamed(`${WHO},? (?:${named})${task}`)]
}

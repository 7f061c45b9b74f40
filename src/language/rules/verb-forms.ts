import type { ActionForm } from './language-rules.ts'

/** The forms of a language's task verbs, each as the alternatives of a pattern. */
export type VerbForms = {
  infinitive: string
  /** "I send", "he sends", and where the language has one word for them, "I will send" and "he will send". */
  first: string
  third: string
  futureFirst: string
  futureThird: string
  imperative: string
}

type Verb = {
  infinitive: string
  first: string
  third: string
  futureFirst: string
  futureThird: string
  /** Alternatives separated by `|`. */
  imperative: string
}

/** Derives the forms of a regular verb from its infinitive. */
export type Conjugation = (infinitive: string) => Verb

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
  const join = (form: keyof Verb) =>
    [...new Set(verbs.flatMap((verb) => verb[form].split('|')))]
      .toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1))
      .join('|')
  return {
    infinitive: join('infinitive'),
    first: join('first'),
    third: join('third'),
    futureFirst: join('futureFirst'),
    futureThird: join('futureThird'),
    imperative: join('imperative'),
  }
}

function readRow(row: string, conjugate: Conjugation): Verb {
  const [infinitive = '', ...forms] = row.trim().split(/\s+/)
  const regular = conjugate(infinitive)
  const pick = (index: number, otherwise: string) => {
    const form = forms[index]
    return form === undefined || form === '-' ? otherwise : form
  }
  return {
    infinitive,
    first: pick(0, regular.first),
    third: pick(1, regular.third),
    futureFirst: pick(2, regular.futureFirst),
    futureThird: pick(3, regular.futureThird),
    imperative: pick(4, regular.imperative),
  }
}

/** Up to ten words within a clause. Limited, so that no text makes a pattern slow. */
export const FEW_WORDS = '(?:[^\\s,;:!?]{1,30} ){0,10}?'
/** The name of the person who gets a task. */
export const WHO = '(?<who>@+)'

/** The flag `d` gives the position of the name. */
export function globalPattern(source: string): RegExp {
  return new RegExp(source, 'gd')
}

/** The clause before a match: the text after the last comma, semicolon or colon. */
export function lastClause(before: string): string {
  const text = before.slice(-200)
  return text.slice(
    Math.max(text.lastIndexOf(','), text.lastIndexOf(';'), text.lastIndexOf(':')) + 1,
  )
}

/** The words up to the next comma, semicolon or colon. */
export function firstClause(text: string): string {
  return /^[^,;:]{0,300}/.exec(text)?.[0] ?? ''
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
  return [
    { pattern: globalPattern(`\\b(?:${speaker})${task}`), owner: 'speaker' },
    { pattern: globalPattern(`${WHO},? (?:${named})${task}`), owner: 'named' },
  ]
}

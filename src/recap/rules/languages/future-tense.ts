import type { ActionForm } from './language-rules.ts'
import { globalPattern, WHO } from './verb-forms.ts'

/** How a language says in the future tense that somebody does something with an object. All texts are patterns. */
type FutureTense = {
  /** "I will", with a space at the end. */
  speaker: string
  /** What follows a name: "will", with a space at the end. */
  named: string
  /** Articles and numbers before an object, with a space or an apostrophe at the end. */
  article: string
  infinitive: string
  /** Infinitives that promise nothing or name what happens in the call. */
  noTask: string
  /** Objects that belong to the call, such as the screen. */
  callObject: string
  /** Whether the verb follows its object, as in "ich werde die Liste löschen". */
  isVerbLast?: boolean
}

/** A few words of the object, for languages with the verb at the end. */
const OBJECT_WORDS = '(?:[^\\s,;:!?]{1,30} ){1,6}?'
const CLAUSE_END = '(?=[.,;!]|$| und | and )'

/**
 * "I will reproduce the bug": any verb with an object is a task, except the listed ones. Most other forms accept only the
 * task verbs of their language, because they are also used for what somebody does now.
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

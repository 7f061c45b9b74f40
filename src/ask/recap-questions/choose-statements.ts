import { createPeopleFinder } from '../../language/people.ts'
import { foldText, listContentWords, stopWordsOf } from '../../language/words.ts'
import type { RecapQuestion, StatementKind } from './recap-question.ts'

/** A decision, an open action item or an open question of a recap. */
export type RecapStatement = {
  kind: StatementKind
  text: string
  /** Who said it or, for an action item, who does it. Null if unknown. */
  person: string | null
  dueDate: string | null
  segmentNumbers: readonly number[]
  meetingId: string
  meetingTitle: string
  project: string
}

/** A word in the title of the meeting or in the name of its project counts less than one of the statement. */
const PLACE_WEIGHT = 0.4
/** A statement must have this share of the question's subject words. */
const MIN_COVERAGE = 0.5
/** Statements with a far lower score than the best one are about something else. */
const MIN_SHARE_OF_BEST = 0.6

/** Chooses the statements of the people and about the subject that the question names, in the given order. */
export function chooseStatements(
  question: RecapQuestion,
  statements: readonly RecapStatement[],
): RecapStatement[] {
  const names = [...new Set(statements.flatMap(({ person }) => person ?? []))]
  const { masked, mentions } = createPeopleFinder(names).maskNames(question.text, question.rest)
  const isOfPerson = createPersonTest(
    mentions.map(({ start, end, person }) => ({ person, words: question.rest.slice(start, end) })),
  )
  const ofPeople = statements.filter(({ person }) => isOfPerson(person))
  const subject = listSubjectStems(masked, question)
  if (subject.size === 0) return ofPeople
  const scored = ofPeople.map((statement) => scoreStatement(statement, subject))
  const best = Math.max(0, ...scored.map(({ score }) => score))
  return scored
    .filter(({ score, coverage }) => coverage >= MIN_COVERAGE && score >= MIN_SHARE_OF_BEST * best)
    .map(({ statement }) => statement)
}

type NamedPerson = { person: string | null; words: string }

/** True for everyone if no person is named. A name that several people share means all of them. */
function createPersonTest(named: readonly NamedPerson[]): (person: string | null) => boolean {
  if (named.length === 0) return () => true
  const people = new Set(named.flatMap(({ person }) => person ?? []))
  const shared = named.filter(({ person }) => person === null).map(({ words }) => words)
  return (person) =>
    person !== null &&
    (people.has(person) || shared.some((words) => ` ${foldText(person)} `.includes(` ${words} `)))
}

/** The words that say what the question is about. */
function listSubjectStems(text: string, { language }: RecapQuestion): Set<string> {
  const ignored = new Set([...stopWordsOf(language.tag), ...language.fillers])
  return new Set(listContentWords(text, ignored, () => false).map(({ stem }) => stem))
}

function scoreStatement(statement: RecapStatement, subject: ReadonlySet<string>) {
  const own = listStems(statement.text)
  const place = listStems(`${statement.meetingTitle} ${statement.project}`)
  let [score, found] = [0, 0]
  for (const stem of subject) {
    if (own.has(stem)) score += 1
    if (place.has(stem)) score += PLACE_WEIGHT
    if (own.has(stem) || place.has(stem)) found += 1
  }
  return { statement, score, coverage: found / subject.size }
}

const NO_STOP_WORDS: ReadonlySet<string> = new Set()

function listStems(text: string): Set<string> {
  return new Set(listContentWords(text, NO_STOP_WORDS, () => false).map(({ stem }) => stem))
}

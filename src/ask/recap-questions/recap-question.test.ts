import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { formatCalendarDay, toCalendarDay } from '../../language/due-date.ts'
import type { DayRange } from './find-period.ts'
import { parseRecapQuestion } from './recap-question.ts'

/** A Thursday. */
const TODAY = toCalendarDay(new Date('2026-11-19T12:00:00Z'), null)

type Row = readonly [question: string, kinds: string, language?: string]

const QUESTIONS: readonly Row[] = [
  ['What was decided?', 'decision', 'en'],
  ['What was decided last week?', 'decision', 'en'],
  ['What do I have to do by Friday?', 'action', 'en'],
  ['What did we decide about the release?', 'decision', 'en'],
  ['Who will talk to the customers, and by when?', 'action', 'en'],
  ['Which questions are still open?', 'question', 'en'],
  ['What does Ada have to do?', 'action', 'en'],
  ['What should the design team do?', 'action', 'en'],
  ['What has not been decided yet?', 'question', 'en'],
  ['List the decisions and the open questions', 'question decision', 'en'],
  ['Was wurde entschieden?', 'decision', 'de'],
  ['Was haben wir beschlossen?', 'decision', 'de'],
  ['Was muss Ada machen?', 'action', 'de'],
  ['Welche Fragen sind noch offen?', 'question', 'de'],
  ["Qu'est-ce qui a été décidé ?", 'decision', 'fr'],
  ["Qu'est-ce qu'Ada doit faire ?", 'action', 'fr'],
  ['Quelles questions sont encore ouvertes ?', 'question', 'fr'],
  ['¿Qué se decidió sobre el presupuesto?', 'decision', 'es'],
  ['¿Qué tiene que hacer Ada?', 'action', 'es'],
  ['¿Qué preguntas quedan abiertas?', 'question', 'es'],
  ['O que foi decidido?', 'decision', 'pt'],
  ['O que a Ada tem de fazer?', 'action', 'pt'],
  ['Que perguntas estão em aberto?', 'question', 'pt'],
]

test('questions about decisions, tasks and open questions are recognized in five languages', () => {
  for (const [question, kinds, language] of QUESTIONS) {
    const parsed = parseRecapQuestion(question, TODAY)
    assert.deepEqual(
      [[...(parsed?.kinds ?? [])].join(' '), parsed?.language.tag],
      [kinds, language],
      question,
    )
  }
})

test('other questions, questions for a reason and very long ones are not about recaps', () => {
  for (const question of [
    'How much is the pump?',
    'Why did we decide to leave?',
    'Warum wurde das entschieden?',
    'Pourquoi a-t-on décidé cela ?',
    '',
    '¿?',
    `What was decided about ${'x'.repeat(400)}?`,
  ])
    assert.equal(parseRecapQuestion(question, TODAY), null, question)
})

test('the words of a person and a subject remain', () => {
  const restOf = (question: string) =>
    parseRecapQuestion(question, TODAY)?.rest.replaceAll(/\s+/g, ' ').trim()
  assert.equal(restOf('What should the design team do?'), 'what the design team ?')
  assert.equal(
    restOf('Which questions about the budget are still open?'),
    'which about the budget are still ?',
  )
  assert.equal(restOf("Qu'est-ce qu'Ada doit faire ?"), 'est-ce ada ?')
  assert.equal(restOf('What was decided since last Monday?'), 'what was ?')
})

test('a question of the caller about their own tasks is recognized', () => {
  const isAboutCaller = (question: string) => parseRecapQuestion(question, TODAY)?.isAboutCaller
  assert.equal(isAboutCaller('What do I have to do?'), true)
  assert.equal(isAboutCaller('Was muss ich machen?'), true)
  assert.equal(isAboutCaller('¿Qué tengo que hacer?'), true)
  assert.equal(isAboutCaller('What does Ada have to do?'), false)
})

const formatRange = ({ from, to }: DayRange) =>
  `${from === null ? '' : formatCalendarDay(from)}..${to === null ? '' : formatCalendarDay(to)}`

test('times are resolved against today: past ones for what was said, coming ones for what is due', () => {
  const rows: ReadonlyArray<readonly [question: string, said: string, due?: string]> = [
    ['What was decided today?', '2026-11-19..2026-11-20'],
    ['What was decided yesterday?', '2026-11-18..2026-11-19'],
    ['What was decided last week?', '2026-11-09..2026-11-16'],
    ['What was decided since Monday?', '2026-11-16..', '2026-11-23..'],
    ['What was decided on Thursday?', '2026-11-19..2026-11-20'],
    ['What was decided in October?', '2026-10-01..2026-11-01', '2027-10-01..2027-11-01'],
    ['What was decided in December?', '2025-12-01..2026-01-01', '2026-12-01..2027-01-01'],
    ['What was decided in May 2024?', '2024-05-01..2024-06-01'],
    ['What was decided on 12 November?', '2026-11-12..2026-11-13', '2027-11-12..2027-11-13'],
    ['What was decided on 2026-11-03?', '2026-11-03..2026-11-04'],
    ['What was decided in the last two weeks?', '2026-11-05..2026-11-20'],
    ['What was decided 3 days ago?', '2026-11-16..2026-11-17'],
    ['What was decided last month?', '2026-10-01..2026-11-01'],
    ['What was decided this year?', '2026-01-01..2027-01-01'],
    ['What tasks are there for the next 3 days?', '2026-11-19..2026-11-23'],
    ['What does Ada have to do by Friday?', '..2026-11-14', '..2026-11-21'],
    ['Was wurde letzte Woche beschlossen?', '2026-11-09..2026-11-16'],
    ['Was wurde vor zwei Wochen beschlossen?', '2026-11-02..2026-11-09'],
    ['Was ist bis Freitag zu tun?', '..2026-11-14', '..2026-11-21'],
    ["Qu'a-t-on décidé hier ?", '2026-11-18..2026-11-19'],
    ['Qu’a-t-on décidé le mois dernier ?', '2026-10-01..2026-11-01'],
    ['¿Qué se decidió la semana pasada?', '2026-11-09..2026-11-16'],
    ['¿Qué se decidió desde el lunes?', '2026-11-16..', '2026-11-23..'],
    ['O que foi decidido ontem?', '2026-11-18..2026-11-19'],
    ['O que foi decidido desde segunda-feira?', '2026-11-16..', '2026-11-23..'],
  ]
  for (const [question, said, due = said] of rows) {
    const period = parseRecapQuestion(question, TODAY)?.period
    assert.ok(period, question)
    assert.deepEqual([formatRange(period.said), formatRange(period.due)], [said, due], question)
  }
  for (const question of ['What may Ada have to do?', 'What was decided on 31 February?'])
    assert.equal(parseRecapQuestion(question, TODAY)?.period, null, question)
})

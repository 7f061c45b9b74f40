import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { toCalendarDay, findDueDate, type DateLanguage } from './due-date.ts'
import { ENGLISH_DATES } from './rules/english.ts'
import { FRENCH_DATES } from './rules/french.ts'
import { GERMAN_DATES } from './rules/german.ts'
import { PORTUGUESE_DATES } from './rules/portuguese.ts'
import { SPANISH_DATES } from './rules/spanish.ts'
import { foldText } from './words.ts'

/** A Tuesday. */
const TODAY = toCalendarDay(new Date('2026-11-17T12:00:00Z'), null)

/** Each row: text, the words that name the date, the date. Null if there is none. */
type Row = readonly [text: string, words: string | null, date: string | null]

function assertDates(language: DateLanguage, rows: readonly Row[]): void {
  for (const [text, words, date] of rows) {
    const found = findDueDate(foldText(text), language, TODAY)
    const actual = found === null ? [null, null] : [text.slice(found.start, found.end), found.date]
    assert.deepEqual(actual, [words, date], text)
  }
}

test('English due dates are resolved against the date of the meeting', () => {
  assertDates(ENGLISH_DATES, [
    ['send it today', 'today', '2026-11-17'],
    ['send it by tomorrow morning', 'by tomorrow morning', '2026-11-18'],
    ['send it by Wednesday', 'by Wednesday', '2026-11-18'],
    ['send it on Tuesday', 'on Tuesday', '2026-11-24'],
    ['send it by next Monday', 'by next Monday', '2026-11-23'],
    ['send it by next Friday', 'by next Friday', '2026-11-27'],
    ['send it this Friday', 'this Friday', '2026-11-20'],
    ['send it Thursday next week', 'Thursday next week', '2026-11-26'],
    ['send it by the end of the week', 'by the end of the week', '2026-11-20'],
    ['send it by end of next week', 'by end of next week', '2026-11-27'],
    ['send it next week', 'next week', '2026-11-27'],
    ['send it by the end of the month', 'by the end of the month', '2026-11-30'],
    ['send it by the end of the year', 'by the end of the year', '2026-12-31'],
    ['send it in two weeks', 'in two weeks', '2026-12-01'],
    ['send it within 10 days', 'within 10 days', '2026-11-27'],
    ['send it in a month', 'in a month', '2026-12-17'],
    ['send it by May 3', 'by May 3', '2027-05-03'],
    ['send it by the 3rd of December', 'by the 3rd of December', '2026-12-03'],
    ['send it before December twenty-first', 'before December twenty-first', '2026-12-21'],
    ['send it by the 14th', 'by the 14th', '2026-12-14'],
    ['send it until the twentieth', 'until the twentieth', '2026-11-20'],
    ['send it on 2026-12-24', '2026-12-24', '2026-12-24'],
    ['send it EOD', 'EOD', '2026-11-17'],
    ['take the copy from Monday', null, null],
    ['the numbers of last Friday', null, null],
    ['we may send 14 of them', null, null],
    ['send it by February 30', null, null],
  ])
})

test('a day of the month that the next month does not have is in the month after it', () => {
  for (const [at, text, date] of [
    ['2027-01-30', 'send it by the 29th', '2027-03-29'],
    ['2026-12-31', 'send it by the 31st', '2026-12-31'],
    ['2026-12-31', 'send it by the 30th', '2027-01-30'],
    ['2026-11-30', 'send it by the 31st', '2026-12-31'],
  ] as const) {
    const today = toCalendarDay(new Date(at), null)
    assert.equal(findDueDate(text, ENGLISH_DATES, today)?.date, date, `${text}, said on ${at}`)
  }
})

test('German due dates are resolved against the date of the meeting', () => {
  assertDates(GERMAN_DATES, [
    ['ich schicke es heute noch', 'heute noch', '2026-11-17'],
    ['bis morgen Mittag', 'bis morgen Mittag', '2026-11-18'],
    ['übermorgen', 'übermorgen', '2026-11-19'],
    ['bis Freitag', 'bis Freitag', '2026-11-20'],
    ['bis nächsten Montag', 'bis nächsten Montag', '2026-11-23'],
    ['bis Ende der Woche', 'bis Ende der Woche', '2026-11-20'],
    ['bis zum Monatsende', 'bis zum Monatsende', '2026-11-30'],
    ['bis zum 20. Dezember', 'bis zum 20. Dezember', '2026-12-20'],
    ['bis 3.12. fertig', 'bis 3.12.', '2026-12-03'],
    ['bis zum 14. schicken', 'bis zum 14.', '2026-12-14'],
    ['in zwei Wochen', 'in zwei Wochen', '2026-12-01'],
    ['nächste Woche', 'nächste Woche', '2026-11-27'],
    ['guten Morgen', null, null],
    ['seit Montag', null, null],
  ])
})

test('French due dates are resolved against the date of the meeting', () => {
  assertDates(FRENCH_DATES, [
    ["je le fais aujourd'hui", "aujourd'hui", '2026-11-17'],
    ['demain matin', 'demain matin', '2026-11-18'],
    ['après-demain', 'après-demain', '2026-11-19'],
    ['avant vendredi', 'avant vendredi', '2026-11-20'],
    ['lundi prochain', 'lundi prochain', '2026-11-23'],
    ["d'ici la fin de la semaine", "d'ici la fin de la semaine", '2026-11-20'],
    ['avant la fin du mois', 'avant la fin du mois', '2026-11-30'],
    ['pour le 3 décembre', 'pour le 3 décembre', '2026-12-03'],
    ["d'ici le 24", "d'ici le 24", '2026-11-24'],
    ['dans deux semaines', 'dans deux semaines', '2026-12-01'],
    ['une table pour 8 personnes', null, null],
    ['depuis lundi', null, null],
  ])
})

test('Spanish due dates are resolved against the date of the meeting', () => {
  assertDates(SPANISH_DATES, [
    ['lo envío hoy mismo', 'hoy mismo', '2026-11-17'],
    ['lo llamo mañana por la tarde', 'mañana por la tarde', '2026-11-18'],
    ['pasado mañana', 'pasado mañana', '2026-11-19'],
    ['para el viernes', 'para el viernes', '2026-11-20'],
    ['el próximo lunes', 'el próximo lunes', '2026-11-23'],
    ['la semana que viene', 'la semana que viene', '2026-11-27'],
    ['antes de fin de mes', 'antes de fin de mes', '2026-11-30'],
    ['antes del 3 de diciembre', 'antes del 3 de diciembre', '2026-12-03'],
    ['para el día 20', 'para el día 20', '2026-11-20'],
    ['dentro de dos semanas', 'dentro de dos semanas', '2026-12-01'],
    ['por la mañana', null, null],
    ['todos los lunes', null, null],
  ])
})

test('Portuguese due dates are resolved against the date of the meeting', () => {
  assertDates(PORTUGUESE_DATES, [
    ['mando ainda hoje', 'ainda hoje', '2026-11-17'],
    ['até amanhã', 'até amanhã', '2026-11-18'],
    ['depois de amanhã', 'depois de amanhã', '2026-11-19'],
    ['até sexta-feira', 'até sexta-feira', '2026-11-20'],
    ['na próxima segunda', 'na próxima segunda', '2026-11-23'],
    ['na semana que vem', 'na semana que vem', '2026-11-27'],
    ['até o fim do mês', 'até o fim do mês', '2026-11-30'],
    ['até o dia 3 de dezembro', 'até o dia 3 de dezembro', '2026-12-03'],
    ['daqui a duas semanas', 'daqui a duas semanas', '2026-12-01'],
    ['é a segunda vez', null, null],
  ])
})

test('the date of a meeting is the one in its time zone, or in UTC for an unknown zone', () => {
  const late = new Date('2026-11-17T23:30:00Z')
  assert.equal(toCalendarDay(late, 'Europe/Berlin'), TODAY + 1)
  assert.equal(toCalendarDay(late, 'America/New_York'), TODAY)
  assert.equal(toCalendarDay(late, 'Not/AZone'), TODAY)
  assert.equal(toCalendarDay(late, null), TODAY)
})

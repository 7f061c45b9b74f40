import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createRulesRecap } from './rules-recap.ts'

function recapOf(language: string, lines: readonly string[]) {
  return createRulesRecap({
    startedAt: new Date('2026-11-17T09:00:00Z'),
    timeZone: 'UTC',
    languageHint: language,
    participants: ['Anna', 'Ben', 'Tom'],
    segments: lines.map((line, index) => {
      const [speaker = '', text = ''] = line.split(': ')
      return { number: index + 1, speaker, text, startMs: index * 5000, endMs: index * 5000 + 4000 }
    }),
  })
}

const SAID_BEFORE = {
  en: 'Anna: The heating in room four is still broken.',
  de: 'Anna: Die Heizung in Raum vier ist immer noch kaputt.',
  fr: 'Anna: Le chauffage de la salle quatre est encore en panne.',
  es: 'Anna: La calefacción de la sala cuatro sigue rota.',
  pt: 'Anna: O aquecimento da sala quatro continua avariado.',
} as const

test('a promise of "that" is listed with the words that it is about', () => {
  for (const [language, reply, dueDate] of [
    ['en', "I'll do that tomorrow.", '2026-11-18'],
    ['en', 'I can take that.', null],
    ['en', "Yeah, no, sure, but I'll sort it out by Friday.", '2026-11-20'],
    ['de', 'Mach ich.', null],
    ['de', 'Das übernehm ich morgen.', '2026-11-18'],
    ['fr', "Je m'en occupe demain.", '2026-11-18'],
    ['es', 'Lo hago yo.', null],
    ['pt', 'Deixa comigo.', null],
  ] as const) {
    const { actions } = recapOf(language, [SAID_BEFORE[language], `Ben: ${reply}`])
    const [action] = actions
    assert.ok(action !== undefined && actions.length === 1, reply)
    const [said = ''] = SAID_BEFORE[language].split(': ').slice(1)
    assert.ok(action.text.startsWith(`${said} – `), action.text)
    assert.deepEqual([action.owner, action.dueDate], ['Ben', dueDate], reply)
    assert.deepEqual(action.segmentNumbers, [1, 2])
  }
})

test('German verbs without their last letter are promises too', () => {
  const { actions } = recapOf('de', [
    'Anna: Im Lager fällt ständig das Netz aus und keiner weiß warum.',
    'Ben: Ja, ich bestell morgen zwei Router.',
    'Tom: Ich schreib bis Freitag den Bericht für den Vorstand.',
    'Anna: Ich mach mir Sorgen um das Dach.',
  ])
  assert.deepEqual(
    actions.map(({ text, owner, dueDate }) => [text, owner, dueDate]),
    [
      ['Ich bestell morgen zwei Router.', 'Ben', '2026-11-18'],
      ['Ich schreib bis Freitag den Bericht für den Vorstand.', 'Tom', '2026-11-20'],
    ],
  )
})

test('decisions in everyday words are found, with what they are about', () => {
  const english = recapOf('en', [
    'Anna: We still have to split the days over the holidays.',
    "Anna: Okay, decided then, I take Christmas and Tom takes New Year's.",
    'Tom: Fine with me.',
    'Anna: What about the colour of the brochure, blue or green?',
    'Ben: Blue looks better in print.',
    'Tom: Blue it is.',
  ])
  assert.deepEqual(
    english.decisions.map(({ text, speaker, segmentNumbers }) => [text, speaker, segmentNumbers]),
    [
      ["Decided then, I take Christmas and Tom takes New Year's.", 'Anna', [2]],
      ['Blue looks better in print. – Blue it is.', 'Tom', [5, 6]],
    ],
  )
  assert.deepEqual(
    english.actions.map(({ text, owner }) => [text, owner]),
    [["Tom takes New Year's.", 'Tom']],
  )
  const german = recapOf('de', [
    'Anna: Wir könnten die Miete für den Saal gemeinsam zahlen.',
    'Ben: Gute Idee.',
    'Anna: Gut, dann beschließen wir das.',
  ])
  assert.deepEqual(
    german.decisions.map(({ text, segmentNumbers }) => [text, segmentNumbers]),
    [['Wir könnten die Miete für den Saal gemeinsam zahlen. – Dann beschließen wir das.', [1, 3]]],
  )
  for (const sentence of ["That's how it is.", 'No matter what it is.', 'So it is.']) {
    assert.deepEqual(recapOf('en', [`Ben: ${sentence}`]).decisions, [])
  }
})

test('topics never consist of interjections, and a word that one person repeats does not name one', () => {
  const { topics } = recapOf('en', [
    'Anna: Yeah, actually, blah blah blah, uh-huh, okay, the greenhouse needs new windows.',
    'Ben: Huh, yeah, guys, the greenhouse windows, actually.',
    'Tom: Wow, hello, hello, hello, hello, yeah, goodbye.',
  ])
  assert.deepEqual(
    topics.map(({ title }) => title),
    ['Greenhouse, windows'],
  )
})

test('a question that means something said before is not listed alone', () => {
  const asked = (question: string) =>
    recapOf('en', [`Anna: ${question}`, "Ben: I don't know.", 'Tom: Next point, the garden.'])
      .openQuestions
  assert.equal(asked('Who pays for the new greenhouse windows?').length, 1)
  for (const question of ['How do you spell that?', 'Do they do it with them?', 'Is it blue or?']) {
    assert.deepEqual(asked(question), [], question)
  }
})

test('what stays open, such as a shop, is no open question, and a question is', () => {
  for (const [language, shop, question] of [
    [
      'en',
      'The shops on the square remain open and still sell bread.',
      'The question of the price is still open.',
    ],
    [
      'de',
      'Die Bäckerei am Platz bleibt offen und verkauft weiter Brot.',
      'Die Preisfrage bleibt offen.',
    ],
  ] as const) {
    const { openQuestions } = recapOf(language, [`Anna: ${shop}`, `Ben: ${question}`])
    assert.deepEqual(
      openQuestions.map(({ text }) => text),
      [question],
    )
  }
})

test('a request to say something again is no action item', () => {
  const { actions } = recapOf('en', [
    'Anna: Ben, would you mind repeating that, please?',
    'Tom: Ben, would you mind checking the invoice, please?',
  ])
  assert.deepEqual(
    actions.map(({ text }) => text),
    ['Ben, would you mind checking the invoice, please?'],
  )
})

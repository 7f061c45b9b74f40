import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Recap } from './recap.ts'
import { createRulesRecap } from './rules-recap.ts'

const PEOPLE = ['Ben Carter', 'Chloé Martin', 'Dev Patel', 'Jürgen Groß', 'Ana Ribeiro']

/** Makes a recap of turns, each with a speaker and a text. The meeting is on Monday, 16 November 2026. */
function recapOf(languageHint: string, turns: ReadonlyArray<readonly [string, string]>): Recap {
  return createRulesRecap({
    startedAt: new Date('2026-11-16T09:00:00Z'),
    timeZone: null,
    languageHint,
    participants: PEOPLE,
    segments: turns.map(([speaker, text], index) => ({
      number: index + 1,
      speaker,
      text,
      startMs: index * 5000,
      endMs: index * 5000 + 4000,
    })),
  })
}

/** The owner and due date of each action in Ana's sentence. */
function actionsIn(language: string, text: string): Array<[string | null, string | null]> {
  return recapOf(language, [['Ana Ribeiro', text]]).actions.map(({ owner, dueDate }) => [
    owner?.split(' ')[0] ?? null,
    dueDate,
  ])
}

type Row = readonly [text: string, ...actions: Array<[string | null, string | null]>]

function assertActions(language: string, rows: readonly Row[]): void {
  for (const [text, ...actions] of rows) assert.deepEqual(actionsIn(language, text), actions, text)
}

function assertNoActions(language: string, texts: readonly string[]): void {
  for (const text of texts) assert.deepEqual(actionsIn(language, text), [], text)
}

test('a sentence that assigns three tasks gives three actions with owners and due dates', () => {
  const { actions } = recapOf('en', [
    [
      'Ana Ribeiro',
      'So Ben will fix the search page by Wednesday, Chloé will run the upgrade test today, and Dev will write to the customers.',
    ],
  ])
  assert.deepEqual(actions, [
    {
      text: 'Ben will fix the search page by Wednesday',
      owner: 'Ben Carter',
      dueText: 'by Wednesday',
      dueDate: '2026-11-18',
      segmentNumbers: [1],
    },
    {
      text: 'Chloé will run the upgrade test today',
      owner: 'Chloé Martin',
      dueText: 'today',
      dueDate: '2026-11-16',
      segmentNumbers: [1],
    },
    {
      text: 'Dev will write to the customers.',
      owner: 'Dev Patel',
      dueText: null,
      dueDate: null,
      segmentNumbers: [1],
    },
  ])
})

test('English tasks are found with their owner and due date', () => {
  assertActions('en', [
    ["I'll send the report by Friday.", ['Ana', '2026-11-20']],
    ['By Friday I will send the report.', ['Ana', '2026-11-20']],
    ["I'm going to write the release notes.", ['Ana', null]],
    ["We'll deploy the fix on Thursday.", ['Ana', '2026-11-19']],
    ['Ben, can you update the wiki?', ['Ben', null]],
    ['Can you update the wiki, Ben?', ['Ben', null]],
    ['Chloe, please review the draft by tomorrow.', ['Chloé', '2026-11-17']],
    ['Ben Carter will call the bank.', ['Ben', null]],
    ["Ben's going to prepare the slides.", ['Ben', null]],
    ['Dev needs to renew the certificate before the end of the month.', ['Dev', '2026-11-30']],
    ['Dev to send the deck, Ben to book the room.', ['Dev', null], ['Ben', null]],
    ['Dev is responsible for the migration.', ['Dev', null]],
    ['The report is due Friday from Ben.', ['Ben', '2026-11-20']],
    ['I need the numbers from Chloé by Wednesday.', ['Chloé', '2026-11-18']],
    ['Action item for Ben: update the docs.', ['Ben', null]],
    ['Someone needs to call the landlord.', [null, null]],
    ["Let's schedule a call with the vendor.", [null, null]],
    ['Ben, send me the file tomorrow.', ['Ben', '2026-11-17']],
    ["I'll check if the server is up.", ['Ana', null]],
    ['Thanks, Ben. Can you also update the wiki?', ['Ben', null]],
    ["I can take that one, I'll have it ready by Thursday.", ['Ana', '2026-11-19']],
    ["You'll get the numbers from me by Friday.", ['Ana', '2026-11-20']],
    ['I promise to send you the file tonight.', ['Ana', '2026-11-16']],
    ['Could Ben look into the crash?', ['Ben', null]],
    ["I'll reproduce the bug after the meeting.", ['Ana', '2026-11-16']],
    ["I'll split up the invoice.", ['Ana', null]],
    ["I'll close ticket 12.", ['Ana', null]],
    ['I will teach the class and return the projector.', ['Ana', null]],
    ["Let's have Dev call the supplier on Friday.", ['Dev', '2026-11-20']],
    ["Don't forget to book the room, Dev.", ['Dev', null]],
    ["Ben's job is to update the forecast.", ['Ben', null]],
    [
      'Next steps: Ben updates the forecast, Chloé calls the client.',
      ['Ben', null],
      ['Chloé', null],
    ],
    ['Ben agreed to write the summary.', ['Ben', null]],
    [
      'so ben will fix the search page by wednesday chloe will run the test today and dev will write to the customers',
      ['Ben', '2026-11-18'],
      ['Chloé', '2026-11-16'],
      ['Dev', null],
    ],
  ])
})

test('English sentences that are doubtful, negated, past or about the call give no actions', () => {
  assertNoActions('en', [
    "I'll be right back.",
    "I'll share my screen.",
    "I'll open the document.",
    "I'll moderate the discussion.",
    "I'll put a link in the chat.",
    "I'll refresh the page.",
    "I'll walk you through the slides.",
    "I won't send it.",
    'I will not send the report.',
    'If we had time, Ben would fix it.',
    'If you want, I will send it.',
    'Ben fixed the page yesterday.',
    'Maybe Ben will fix it.',
    'Ben said he will fix it.',
    'Did Ben send the report?',
    'Will Ben send the report?',
    'Ben will be late.',
    "Please don't send it.",
    "Let's move on.",
    "Let's take a break.",
    'Can you hear me?',
    'We will see.',
    'I would send the report.',
    "I'll do it now.",
    'Ben will probably know.',
    'will send it',
    "I'll take a look at the chat.",
    "I'll give you an example.",
    "I'll be working from home tomorrow.",
    "I'll be out of office next week.",
    'Ben will love this.',
    'Ben should have sent it last week.',
    'Could you go to the next slide?',
    'The system will send an email every day.',
    'If Ben sends it, I will review it.',
  ])
})

test('German tasks are found with their owner and due date', () => {
  assertActions('de', [
    ['Ich schicke den Bericht bis Freitag.', ['Ana', '2026-11-20']],
    ['Dann schreibe ich heute noch die Mail an die Kunden.', ['Ana', '2026-11-16']],
    ['Ich werde morgen den Vertrag prüfen.', ['Ana', '2026-11-17']],
    ['Ich kümmere mich um die Rechnung.', ['Ana', null]],
    ['Ben, kannst du bitte das Protokoll verschicken?', ['Ben', null]],
    ['Jürgen soll die Schilder bis zum 20. bestellen.', ['Jürgen', '2026-11-20']],
    [
      'Jürgen bestellt die Schilder, und Ben ruft bis Mittwoch den Kunden an.',
      ['Jürgen', null],
      ['Ben', '2026-11-18'],
    ],
    ['Von Chloé brauchen wir noch die Zahlen.', ['Chloé', null]],
    ['Jemand muss noch den Vermieter anrufen.', [null, null]],
    ['Ich kann das bis Freitag erledigen.', ['Ana', '2026-11-20']],
    ['Ben, machst du das bitte?', ['Ben', null]],
    ['Chloé und Ben bereiten den Workshop vor.', ['Ben', null]],
    ['Jürgen hat versprochen, den Vertrag zu prüfen.', ['Jürgen', null]],
    ['Bitte schick mir die Zahlen bis Mittwoch, Ben.', ['Ben', '2026-11-18']],
    ['Aufgabe für Ben: die Liste aktualisieren.', ['Ben', null]],
    ['Ben soll bis zum 20. Dezember die Liste aktualisieren.', ['Ben', '2026-12-20']],
  ])
  assertNoActions('de', [
    'Ich bin gleich wieder da.',
    'Ich hole mir einen Kaffee.',
    'Ich frage mich, ob das passt.',
    'Ich schicke das nicht.',
    'Ich habe den Bericht geschickt.',
    'Wenn ich Zeit hätte, würde ich es machen.',
    'Vielleicht schreibe ich ihm.',
    'Ich schreibe jeden Montag einen Bericht.',
    'Hat Ben den Bericht geschickt?',
    'Ich teile mal meinen Bildschirm.',
    'Ich gebe dir recht.',
    'Ich stelle mir das so vor.',
    'Ben schreibt immer so lange Mails.',
    'Das mache ich nicht.',
  ])
})

test('French tasks are found with their owner and due date', () => {
  assertActions('fr', [
    ['Je vais envoyer le rapport avant vendredi.', ['Ana', '2026-11-20']],
    ["J'enverrai le contrat demain.", ['Ana', '2026-11-17']],
    ["Je m'occupe de la réservation.", ['Ana', null]],
    ["Je t'envoie les chiffres ce soir.", ['Ana', '2026-11-16']],
    ['Ben, tu peux vérifier la facture ?', ['Ben', null]],
    [
      'Chloé va préparer la présentation et Ben appellera le client lundi prochain.',
      ['Chloé', null],
      ['Ben', '2026-11-23'],
    ],
    ['Chloé, envoie le devis, s’il te plaît.', ['Chloé', null]],
    ["Il faut que Ben mette à jour la page d'aide.", ['Ben', null]],
    ["C'est à Dev de corriger le bug.", ['Dev', null]],
    ['Je peux le faire pour demain.', ['Ana', '2026-11-17']],
    ["N'oublie pas d'envoyer la facture, Ben.", ['Ben', null]],
    ['Il faudra que Ben appelle le fournisseur.', ['Ben', null]],
  ])
  assertNoActions('fr', [
    'Je reviens tout de suite.',
    'Je vais partager mon écran.',
    "Je n'enverrai pas le rapport.",
    "J'ai envoyé le rapport hier.",
    "Si j'avais le temps, je le ferais.",
    'Je me demande si ça marche.',
    'Est-ce que Ben a envoyé le rapport ?',
    'On verra ça demain.',
    'Je vais vous montrer un exemple.',
    'Je pense que Ben va aimer.',
  ])
})

test('Spanish tasks are found with their owner and due date', () => {
  assertActions('es', [
    ['Voy a enviar el informe el viernes.', ['Ana', '2026-11-20']],
    ['Enviaré el contrato mañana.', ['Ana', '2026-11-17']],
    ['Me encargo de la reserva.', ['Ana', null]],
    ['Yo preparo la lista para el miércoles.', ['Ana', '2026-11-18']],
    ['Ben, ¿puedes revisar la factura?', ['Ben', null]],
    ['Chloé va a llamar al banco y Ben pedirá las baldosas.', ['Chloé', null], ['Ben', null]],
    ['Ben, manda el presupuesto hoy, por favor.', ['Ben', '2026-11-16']],
    ['Alguien tiene que llamar al casero.', [null, null]],
    ['Lo tengo listo para el viernes.', ['Ana', '2026-11-20']],
    ['Que Ben llame al proveedor.', ['Ben', null]],
    ['No te olvides de enviar la factura, Ben.', ['Ben', null]],
  ])
  assertNoActions('es', [
    'Vuelvo enseguida.',
    'Voy a compartir mi pantalla.',
    'No voy a enviar nada.',
    'Ayer envié el informe.',
    'Si tuviera tiempo, lo haría.',
    'A lo mejor llamo al banco.',
    '¿Ben ha enviado el informe?',
    'Voy a poner un ejemplo.',
    'Lo hago siempre así.',
  ])
})

test('Portuguese tasks are found with their owner and due date', () => {
  assertActions('pt', [
    ['Eu vou enviar o relatório até sexta.', ['Ana', '2026-11-20']],
    ['Enviarei o contrato amanhã.', ['Ana', '2026-11-17']],
    ['Eu cuido do seguro.', ['Ana', null]],
    ['Ben, você pode revisar a fatura?', ['Ben', null]],
    [
      'O Ben vai ligar para o banco e a Chloé fica de comprar os convites.',
      ['Ben', null],
      ['Chloé', null],
    ],
    ['Ben, por favor, atualize o site até quarta.', ['Ben', '2026-11-18']],
    ['Alguém precisa avisar o dono.', [null, null]],
    ['Deixa comigo, eu falo com eles.', ['Ana', null]],
    ['Não esquece de mandar a fatura, Ben.', ['Ben', null]],
  ])
  assertNoActions('pt', [
    'Eu já volto.',
    'Vou compartilhar minha tela.',
    'Não vou enviar nada.',
    'Ontem eu enviei o relatório.',
    'Se eu tivesse tempo, eu faria.',
    'Talvez eu mande amanhã.',
    'O Ben enviou o relatório?',
    'Vou dar um exemplo.',
    'Eu falo sempre isso.',
  ])
})

test('a promise in the future tense may have any verb with an object, except what happens in the call', () => {
  const found: ReadonlyArray<readonly [string, string]> = [
    ['de', 'Ich werde den Fehler reproduzieren.'],
    ['de', 'Ben wird die alten Spalten umbenennen.'],
    ['fr', 'Je vais redémarrer le serveur.'],
    ['fr', "Ben va repeindre l'entrée."],
    ['es', 'Voy a alquilar una furgoneta.'],
    ['es', 'Ben va a calcular los costes.'],
    ['pt', 'Vou prorrogar o contrato.'],
    ['pt', 'Ben vai pintar a parede.'],
  ]
  const inCall: ReadonlyArray<readonly [string, string]> = [
    ['de', 'Ich werde die Folien zeigen.'],
    ['de', 'Ich werde einen Kaffee trinken.'],
    ['fr', 'Je vais couper le micro.'],
    ['es', 'Voy a tomar un café.'],
    ['pt', 'Vou desligar o microfone.'],
  ]
  for (const [language, text] of found) assert.equal(actionsIn(language, text).length, 1, text)
  for (const [language, text] of inCall) assertNoActions(language, [text])
})

test('a question is open when nobody answers it, and not when somebody does', () => {
  const { openQuestions } = recapOf('en', [
    ['Dev Patel', 'Do we know how long the upgrade takes for our biggest customer?'],
    ['Ana Ribeiro', "One more thing: the date. I'd rather ship on Thursday."],
    ['Ben Carter', 'Who has the list of addresses?'],
    ['Chloé Martin', "It's in the shared folder."],
    ['Ben Carter', 'Are the prices already public?'],
    ['Chloé Martin', "I don't know."],
    ['Ana Ribeiro', 'We still need to find out who pays for the hall.'],
  ])
  assert.deepEqual(
    openQuestions.map(({ speaker, segmentNumbers }) => ({ speaker, segmentNumbers })),
    [
      { speaker: 'Dev Patel', segmentNumbers: [1] },
      { speaker: 'Ben Carter', segmentNumbers: [5, 6] },
      { speaker: 'Ana Ribeiro', segmentNumbers: [7] },
    ],
  )
})

test('decisions are found in five languages, and open or earlier ones are not', () => {
  const decisionsIn = (language: string, text: string) =>
    recapOf(language, [['Ana Ribeiro', text]]).decisions.length
  const decided: ReadonlyArray<readonly [string, string]> = [
    ['en', "Then it's decided: we ship on Thursday."],
    ['en', 'Okay, we’ll keep the old price.'],
    ['de', 'Wir haben uns auf drei Jahre geeinigt.'],
    ['de', 'Gut, dann nehmen wir das zweite Angebot.'],
    ['fr', "C'est décidé, on sort le 27."],
    ['fr', 'Bon, on garde le prix.'],
    ['es', 'Hemos decidido abrir en mayo.'],
    ['es', 'Entonces nos quedamos con los folletos.'],
    ['pt', 'Então a gente decidiu que o festival fica em setembro.'],
    ['pt', 'Fica decidido que não vai ter festa.'],
  ]
  const undecided: ReadonlyArray<readonly [string, string]> = [
    ['en', 'We have not decided yet.'],
    ['en', 'Last week we decided to wait.'],
    ['en', 'Should we keep the old price?'],
    ['de', 'Das haben wir noch nicht entschieden.'],
    ['de', 'Das entscheiden wir nächste Woche.'],
    ['fr', "Ce n'est pas encore décidé."],
    ['es', 'Todavía no hemos decidido nada.'],
    ['pt', 'Ainda não decidimos nada.'],
  ]
  for (const [language, text] of decided) assert.equal(decisionsIn(language, text), 1, text)
  for (const [language, text] of undecided) assert.equal(decisionsIn(language, text), 0, text)
})

test('a proposal becomes a decision when another speaker agrees to it', () => {
  const { decisions } = recapOf('en', [
    ['Ana Ribeiro', 'Three weeks for the test phase. Agreed?'],
    ['Ben Carter', 'Agreed.'],
    ['Ana Ribeiro', 'Ten euros for a ticket. Agreed?'],
    ['Ben Carter', 'That is far too much.'],
  ])
  assert.deepEqual(
    decisions.map(({ text, segmentNumbers }) => ({ text, segmentNumbers })),
    [{ text: 'Three weeks for the test phase.', segmentNumbers: [1, 2] }],
  )
})

test('a name that two people share has no owner', () => {
  const { actions } = createRulesRecap({
    startedAt: new Date('2026-11-16T09:00:00Z'),
    timeZone: null,
    languageHint: 'en',
    participants: ['Ben Carter', 'Ben Miller', 'Ana Ribeiro'],
    segments: [
      {
        number: 1,
        speaker: 'Ana Ribeiro',
        text: 'Ben will fix the search page, and Ben Miller will write the report.',
        startMs: 0,
        endMs: 1000,
      },
    ],
  })
  assert.deepEqual(
    actions.map(({ owner }) => owner),
    [null, 'Ben Miller'],
  )
})

/** A person of a spoken meeting, and the language whose sounds a voice of that language gives the name. */
type Person = { given: string; family: string; language: string }

/** A meeting whose participants and terms are named in what its voices say. */
export type NamedMeeting = {
  people: readonly Person[]
  /** Terms of the project. */
  terms: readonly string[]
  sentences: readonly string[]
}

const SENTENCES = [
  'I agree with @0 @f0 about the budget for next year.',
  '@1 will send the report to @2 before Friday.',
  'Thank you @3 @f3, that was a very clear answer.',
  'Can @4 and @5 look at the contract again?',
  'The customer asked for Mister @f6 by name.',
  'Yesterday @7 @f7 showed us the first version.',
  'We should move everything to #0 before the summer.',
  'Maybe @0 knows why the test on #1 failed.',
  'Good morning @2 @f2, can you hear us?',
  'I talked with Doctor @f1 and with @6 this morning.',
  'The next step is for @5 @f5 to decide.',
  'Then @4 @f4 can explain how #2 works.',
  'Let us ask @3 and @7 for their opinion.',
] as const

const OTHER_SENTENCES = [
  'Who has spoken with @0 @f0 since the last meeting?',
  'That is a question for @1, not for @2.',
  'My notes say that @3 @f3 wanted to write to the bank.',
  'Hello @4, is @5 with you in the office?',
  'Please forward the letter from Doctor @f6 to me.',
  'I would like to hear what @7 @f7 thinks of the plan.',
  'The team finished the work on #0 last week.',
  'If #1 is too slow, @0 will find another way.',
  'Welcome back, @2 @f2, we have missed you.',
  'The figures come from @6 and from Mister @f1.',
  'In my opinion @5 @f5 should lead this project.',
  'So @4 @f4 will write the manual for #2.',
  'Both @7 and @3 are on holiday in August.',
] as const

const people = (language: string, ...names: readonly string[]): Person[] =>
  names.map((name) => {
    const [given = '', family = ''] = name.split(' ')
    return { given, family, language }
  })

/** The rules and weights of the correction were chosen with these. */
export const TUNING_MEETINGS: readonly NamedMeeting[] = [
  {
    people: [
      ...people('hi', 'Priya Raghunathan', 'Arjun Venkatesan', 'Sunita Deshpande'),
      ...people('pl', 'Wojciech Kowalczyk', 'Agnieszka Nowicka'),
      ...people('de', 'Jürgen Schwarzenbach', 'Anneliese Vogt'),
      ...people('fr', 'Thibault Lefèvre'),
    ],
    terms: ['Kubernetes', 'Grafana', 'Nextcloud'],
    sentences: SENTENCES,
  },
  {
    people: [
      ...people('es', 'Ximena Echeverría', 'Joaquín Villanueva'),
      ...people('it', 'Giuseppe Castiglione', 'Chiara Bellucci'),
      ...people('tr', 'Çağla Yıldırım', 'Emre Kaplan'),
      ...people('vi', 'Nguyen Tran'),
      ...people('en', 'Siobhan Gallagher'),
    ],
    terms: ['Postgres', 'Keycloak', 'Terraform'],
    sentences: SENTENCES,
  },
  {
    people: [
      ...people('en', 'Catherine Montgomery', 'Bryan Whitaker', 'Leigh Abernathy'),
      ...people('sv', 'Björn Lindqvist', 'Saoirse Bergström'),
      ...people('ru', 'Dmitri Volkov', 'Anastasia Sokolova'),
      ...people('sw', 'Wanjiru Kamau'),
    ],
    terms: ['Ansible', 'Zabbix', 'Mattermost'],
    sentences: SENTENCES,
  },
]

/** Other names, sentences and voices, which were looked at only to measure. */
export const HELD_OUT_MEETINGS: readonly NamedMeeting[] = [
  {
    people: [
      ...people('hi', 'Lakshmi Narayanan', 'Vikram Chaudhary', 'Ananya Mukherjee'),
      ...people('pl', 'Krzysztof Zieliński', 'Małgorzata Wiśniewska'),
      ...people('de', 'Friedrich Oberhauser', 'Heike Müller'),
      ...people('fr', 'Geneviève Beaumont'),
    ],
    terms: ['Prometheus', 'Jenkins', 'Elasticsearch'],
    sentences: OTHER_SENTENCES,
  },
  {
    people: [
      ...people('es', 'Guillermo Etxeberria', 'Rocío Zambrano'),
      ...people('it', 'Alessandro Moretti', 'Ludovica Ferrara'),
      ...people('tr', 'Oğuzhan Demir', 'Ayşe Karaca'),
      ...people('vi', 'Linh Pham'),
      ...people('en', 'Niamh Donnelly'),
    ],
    terms: ['Cassandra', 'Vaultwarden', 'Moodle'],
    sentences: OTHER_SENTENCES,
  },
  {
    people: [
      ...people('en', 'Geoffrey Hathaway', 'Kathryn Sinclair', 'Aidan Fairweather'),
      ...people('nl', 'Joost Hoogendoorn', 'Marijke Verbeek'),
      ...people('ru', 'Sergei Kuznetsov', 'Yekaterina Orlova'),
      ...people('sw', 'Chinedu Okonkwo'),
    ],
    terms: ['Nagios', 'Rancher', 'Nuxeo'],
    sentences: OTHER_SENTENCES,
  },
]

/** A sentence as it is written, and with the names between marks for a voice that changes its language for them. */
export type SpokenSentence = { text: string; marked: readonly { text: string; language: string }[] }

/** Fills in the names of people (`@0`, their family name `@f0`) and terms (`#0`). */
export function fillSentences({ people, terms, sentences }: NamedMeeting): SpokenSentence[] {
  return sentences.map((sentence) => {
    const marked = sentence.split(/(@f?\d|#\d)/).map((part) => {
      const index = Number(part.at(-1))
      if (part.startsWith('#')) return { text: terms[index]!, language: 'en' }
      if (!part.startsWith('@')) return { text: part, language: 'en' }
      const { given, family, language } = people[index]!
      return { text: part.startsWith('@f') ? family : given, language }
    })
    return { text: marked.map(({ text }) => text).join(''), marked }
  })
}

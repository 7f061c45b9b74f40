import { RECAP_SECTION_HEADINGS, type RecapSectionName } from '../../recap/template.ts'

/** The sections of a recap that are mailed, what matters most first. Topics are in the console. */
export const MAILED_SECTIONS = [
  'decisions',
  'actions',
  'summary',
  'openQuestions',
] as const satisfies readonly RecapSectionName[]
export type MailedSection = (typeof MAILED_SECTIONS)[number]

/** Headings and fixed sentences of the mail with a recap. `{}` is where a title, a day or a number goes. */
type Texts = Record<MailedSection, string> & {
  /** For `Intl`. */
  locale: string
  subject: string
  /** The recap has no statements. */
  nothing: string
  more: string
  reason: string
  due: string
  done: string
  open: string
  read: string
  whySent: string
  choose: string
  unsubscribe: string
  whySentToGuest: string
  linkEnds: string
}

const TEXTS = {
  en: {
    ...RECAP_SECTION_HEADINGS,
    locale: 'en-GB',
    subject: 'Recap: {}',
    nothing: 'Nothing stood out in this meeting.',
    more: '{} more in Hansard.',
    reason: 'Reason: {}',
    due: 'due {}',
    done: 'done',
    open: 'Open the meeting',
    read: 'Read the meeting',
    whySent: 'You get this recap because its project sends recaps by mail.',
    choose: 'Choose which recaps you get',
    unsubscribe: 'Get no recaps by mail',
    whySentToGuest:
      'You get this recap because you were invited to the meeting, and its organizers send recaps to guests.',
    linkEnds: 'The link works until {}. Whoever has it can read the meeting.',
  },
  de: {
    decisions: 'Entscheidungen',
    actions: 'Aufgaben',
    summary: 'Zusammenfassung',
    openQuestions: 'Offene Fragen',
    locale: 'de',
    subject: 'Zusammenfassung: {}',
    nothing: 'In dieser Besprechung ist nichts Besonderes aufgefallen.',
    more: '{} weitere in Hansard.',
    reason: 'Grund: {}',
    due: 'fällig: {}',
    done: 'erledigt',
    open: 'Besprechung öffnen',
    read: 'Besprechung lesen',
    whySent:
      'Sie erhalten diese Zusammenfassung, weil ihr Projekt Zusammenfassungen per E-Mail verschickt.',
    choose: 'Auswählen, welche Zusammenfassungen Sie erhalten',
    unsubscribe: 'Keine Zusammenfassungen per E-Mail erhalten',
    whySentToGuest:
      'Sie erhalten diese Zusammenfassung, weil Sie zur Besprechung eingeladen waren und die Veranstalter Zusammenfassungen an Gäste senden.',
    linkEnds: 'Der Link gilt bis {}. Wer ihn hat, kann die Besprechung lesen.',
  },
  fr: {
    decisions: 'Décisions',
    actions: 'Actions',
    summary: 'Résumé',
    openQuestions: 'Questions ouvertes',
    locale: 'fr',
    subject: 'Compte rendu : {}',
    nothing: 'Rien de particulier à retenir de cette réunion.',
    more: '{} de plus dans Hansard.',
    reason: 'Raison : {}',
    due: 'échéance : {}',
    done: 'terminé',
    open: 'Ouvrir la réunion',
    read: 'Lire la réunion',
    whySent:
      'Vous recevez ce compte rendu parce que son projet envoie les comptes rendus par e-mail.',
    choose: 'Choisir les comptes rendus à recevoir',
    unsubscribe: 'Ne plus recevoir de comptes rendus par e-mail',
    whySentToGuest:
      'Vous recevez ce compte rendu parce que vous étiez invité à la réunion et que ses organisateurs envoient les comptes rendus aux invités.',
    linkEnds: 'Le lien est valable jusqu’au {}. Toute personne qui l’a peut lire la réunion.',
  },
  es: {
    decisions: 'Decisiones',
    actions: 'Tareas',
    summary: 'Resumen',
    openQuestions: 'Preguntas abiertas',
    locale: 'es',
    subject: 'Resumen: {}',
    nothing: 'No hubo nada destacable en esta reunión.',
    more: '{} más en Hansard.',
    reason: 'Motivo: {}',
    due: 'vence: {}',
    done: 'hecho',
    open: 'Abrir la reunión',
    read: 'Leer la reunión',
    whySent: 'Recibe este resumen porque su proyecto envía los resúmenes por correo.',
    choose: 'Elegir qué resúmenes recibir',
    unsubscribe: 'No recibir resúmenes por correo',
    whySentToGuest:
      'Recibe este resumen porque le invitaron a la reunión y sus organizadores envían los resúmenes a los invitados.',
    linkEnds: 'El enlace funciona hasta el {}. Quien lo tenga puede leer la reunión.',
  },
  it: {
    decisions: 'Decisioni',
    actions: 'Attività',
    summary: 'Riepilogo',
    openQuestions: 'Domande aperte',
    locale: 'it',
    subject: 'Riepilogo: {}',
    nothing: 'Nulla di particolare in questa riunione.',
    more: 'Altri {} in Hansard.',
    reason: 'Motivo: {}',
    due: 'scadenza: {}',
    done: 'fatto',
    open: 'Apri la riunione',
    read: 'Leggi la riunione',
    whySent: 'Ricevi questo riepilogo perché il suo progetto invia i riepiloghi per e-mail.',
    choose: 'Scegli quali riepiloghi ricevere',
    unsubscribe: 'Non ricevere riepiloghi per e-mail',
    whySentToGuest:
      'Ricevi questo riepilogo perché eri tra gli invitati alla riunione e gli organizzatori inviano i riepiloghi agli ospiti.',
    linkEnds: 'Il link funziona fino al {}. Chiunque lo abbia può leggere la riunione.',
  },
  nl: {
    decisions: 'Besluiten',
    actions: 'Actiepunten',
    summary: 'Samenvatting',
    openQuestions: 'Open vragen',
    locale: 'nl',
    subject: 'Samenvatting: {}',
    nothing: 'Er was niets bijzonders in deze vergadering.',
    more: 'Nog {} in Hansard.',
    reason: 'Reden: {}',
    due: 'uiterlijk {}',
    done: 'klaar',
    open: 'Vergadering openen',
    read: 'Vergadering lezen',
    whySent: 'U krijgt deze samenvatting omdat het project samenvattingen per e-mail verstuurt.',
    choose: 'Kiezen welke samenvattingen u krijgt',
    unsubscribe: 'Geen samenvattingen per e-mail krijgen',
    whySentToGuest:
      'U krijgt deze samenvatting omdat u voor de vergadering was uitgenodigd en de organisatoren samenvattingen naar gasten sturen.',
    linkEnds: 'De link werkt tot en met {}. Iedereen die hem heeft, kan de vergadering lezen.',
  },
  pt: {
    decisions: 'Decisões',
    actions: 'Tarefas',
    summary: 'Resumo',
    openQuestions: 'Perguntas em aberto',
    locale: 'pt',
    subject: 'Resumo: {}',
    nothing: 'Nada se destacou nesta reunião.',
    more: 'Mais {} no Hansard.',
    reason: 'Motivo: {}',
    due: 'prazo: {}',
    done: 'concluído',
    open: 'Abrir a reunião',
    read: 'Ler a reunião',
    whySent: 'Você recebe este resumo porque o projeto envia os resumos por e-mail.',
    choose: 'Escolher quais resumos receber',
    unsubscribe: 'Não receber resumos por e-mail',
    whySentToGuest:
      'Você recebe este resumo porque foi convidado para a reunião e os organizadores enviam os resumos aos convidados.',
    linkEnds: 'O link funciona até {}. Quem o tiver pode ler a reunião.',
  },
  pl: {
    decisions: 'Decyzje',
    actions: 'Zadania',
    summary: 'Podsumowanie',
    openQuestions: 'Otwarte pytania',
    locale: 'pl',
    subject: 'Podsumowanie: {}',
    nothing: 'Na tym spotkaniu nie było nic szczególnego.',
    more: 'Jeszcze {} w Hansard.',
    reason: 'Powód: {}',
    due: 'termin: {}',
    done: 'zrobione',
    open: 'Otwórz spotkanie',
    read: 'Przeczytaj spotkanie',
    whySent: 'Otrzymujesz to podsumowanie, ponieważ jego projekt wysyła podsumowania e-mailem.',
    choose: 'Wybierz, które podsumowania otrzymujesz',
    unsubscribe: 'Nie otrzymuj podsumowań e-mailem',
    whySentToGuest:
      'Otrzymujesz to podsumowanie, ponieważ zaproszono Cię na spotkanie, a jego organizatorzy wysyłają podsumowania gościom.',
    linkEnds: 'Link działa do {}. Każdy, kto go ma, może przeczytać spotkanie.',
  },
} as const satisfies Record<string, Texts>

export type RecapTexts = Texts & { language: string }

/** The texts in the language of a recap, and in English for languages that the table does not have. */
export function recapTextsIn(tag: string | null): RecapTexts {
  const [base = ''] = (tag ?? '').toLowerCase().split('-')
  const language = Object.hasOwn(TEXTS, base) ? (base as keyof typeof TEXTS) : 'en'
  return { ...TEXTS[language], language }
}

/** Puts a value where the text has `{}`. */
export function fillText(text: string, value: string): string {
  return text.replace('{}', () => value)
}

import { removeDirectionMarks, toPlainLine } from '../../lib/text/plain-text.ts'
import type { NotificationMessage, NotifiedEvent } from './notification.ts'

/** A message without a format. All texts are plain text on one line, and the format makes them inert. */
export type MessageOutline = {
  heading: string
  /** Links to the meeting or task. */
  title: string
  url: string
  sections: OutlineSection[]
}

export type OutlineSection = { heading: string; items: OutlineItem[]; more: number }

/** `text` was said or written by people. `notes` are about it, such as its owner. `url` links to the line. */
export type OutlineItem = { text: string; notes: string[]; url: string | null }

const MAX_TITLE_CHARS = 120
const MAX_TEXT_CHARS = 400
const MAX_NOTE_CHARS = 80
/** A chat is no place to read everything. */
const MAX_ITEMS = 12

type EventOf<Type extends NotifiedEvent['type']> = Extract<NotifiedEvent, { type: Type }>

/** Describes a message for people. `publicUrl` is where they open the console. */
export function outlineMessage(message: NotificationMessage, publicUrl: string): MessageOutline {
  const { project, events } = message
  const ofType = <Type extends NotifiedEvent['type']>(type: Type) =>
    events.filter((event): event is EventOf<Type> => event.type === type)
  const decisions = ofType('decision_recorded').map(({ payload }) => payload)
  const lists: Array<[heading: string, items: OutlineItem[]]> = [
    ['What went wrong', ofType('meeting_status').map(({ payload }) => toFailure(payload))],
    ['What went wrong', ofType('task_failed').map(({ payload }) => toTaskFailure(payload))],
    [
      'Summary',
      ofType('recap_ready').flatMap(({ payload }) => payload.summary.map((text) => toItem(text))),
    ],
    [
      'Decisions',
      decisions
        .filter(({ previous }) => previous === null)
        .map(({ text, speaker, url }) => toItem(text, [speaker], url)),
    ],
    [
      'Changed decisions',
      decisions
        .filter(({ previous }) => previous !== null)
        .map(({ text, state, url }) => toItem(text, [state === 'deleted' && 'deleted'], url)),
    ],
    [
      'Action items',
      ofType('action_created').map(({ payload: { text, owner, dueDate, url } }) =>
        toItem(text, [owner, dueDate !== null && `due ${dueDate}`], url),
      ),
    ],
    [
      'Changed action items',
      ofType('action_changed').map(({ payload: { text, owner, dueDate, state, url } }) => {
        const isOpen = state === 'open'
        return toItem(
          text,
          [owner, dueDate !== null && isOpen && `due ${dueDate}`, !isOpen && state],
          url,
        )
      }),
    ],
  ]
  const sections = lists.filter(([, items]) => items.length > 0)
  return {
    heading: `${headingOf(events)} · ${toText(project, MAX_TITLE_CHARS)}`,
    title: toText(message.title, MAX_TITLE_CHARS) || 'Untitled',
    url: `${publicUrl}${message.path}`,
    sections: sections.map(([heading, items]) => ({
      heading,
      items: items.slice(0, MAX_ITEMS),
      more: Math.max(0, items.length - MAX_ITEMS),
    })),
  }
}

function headingOf(events: readonly NotifiedEvent[]): string {
  const types = new Set(events.map(({ type }) => type))
  if (types.has('meeting_status')) return 'Meeting failed'
  if (types.has('task_failed')) return 'Task failed'
  if (types.has('recap_ready')) return 'Recap'
  return types.has('decision_recorded') ? 'Decisions' : 'Action items'
}

function toItem(
  text: string,
  notes: ReadonlyArray<string | false | null> = [],
  url: string | null = null,
): OutlineItem {
  const texts = notes.filter((note) => note !== false && note !== null)
  return {
    text: toText(text, MAX_TEXT_CHARS),
    notes: texts.map((note) => toText(note, MAX_NOTE_CHARS)),
    url,
  }
}

function toFailure({ reason, detail }: EventOf<'meeting_status'>['payload']): OutlineItem {
  return toItem(detail ?? `The bot left: ${(reason ?? 'unknown').replaceAll('_', ' ')}`)
}

function toTaskFailure({ status, reason }: EventOf<'task_failed'>['payload']): OutlineItem {
  return toItem(reason ?? (status === 'timeout' ? 'It took too long' : 'The run failed'))
}

function toText(text: string, maxLength: number): string {
  return removeDirectionMarks(toPlainLine(text, maxLength))
}

/** The message as plain text, for a preview and for notifications of devices. */
export function toPlainMessage({ heading, title, url, sections }: MessageOutline): string {
  return [
    heading,
    title,
    ...sections.flatMap((section) => [
      '',
      section.heading,
      ...section.items.map(({ text, notes }) => `• ${[text, ...notes].join(' · ')}`),
      ...listMore(section),
    ]),
    '',
    url,
  ].join('\n')
}

export function listMore({ more }: OutlineSection): string[] {
  return more === 0 ? [] : [`${more} more in Hansard`]
}

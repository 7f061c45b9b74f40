import type { PlatformEvent } from '../../src/bots/platforms/platform.ts'
import { EXAMPLE_TOPICS } from '../support/meetings/example-topics.ts'
import type { SeededMeeting } from '../support/meetings/seed-recap.ts'

const ACTIONS = [
  { text: 'Send Northwind the offer', owner: 'Ada Lovelace', dueDays: -1 },
  { text: 'Invite both candidates', owner: 'Ada Lovelace', dueDays: 2 },
  { text: 'Plan the next design critique', owner: 'Ada Lovelace' },
  { text: 'Write the note about the outage', owner: 'Ben Carter', dueDays: 3 },
  { text: 'Ask for two more desks', owner: null },
]
/** By the topic of the meeting. */
const DECISIONS: Readonly<Record<number, SeededMeeting['decisions']>> = {
  0: [
    { text: 'The search page comes before the new filters.', speaker: 'Ana Ribeiro' },
    {
      text: 'The release moves to Friday, because the tests need a day more.',
      speaker: 'Ben Carter',
    },
  ],
  2: [{ text: 'Northwind gets the price of last year.', speaker: 'Chloe Martin' }],
  3: [{ text: 'The dark theme stays as it is.', speaker: 'Dev Patel' }],
  4: [{ text: 'An alert warns when a disk is at eighty percent.', speaker: null }],
}
const DAY_MS = 86_400_000
const PAST_MEETINGS = 40

/** Meetings of the last weeks, the newest today. */
export function listPastMeetings(now: Date): SeededMeeting[] {
  const toDay = (days: number) => new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10)
  const actions = ACTIONS.map(({ dueDays, ...action }) => ({
    ...action,
    ...(dueDays !== undefined && { dueDate: toDay(dueDays) }),
  }))
  return Array.from({ length: PAST_MEETINGS }, (_, i): SeededMeeting => {
    const [title, gist] = EXAMPLE_TOPICS[i % EXAMPLE_TOPICS.length] ?? EXAMPLE_TOPICS[0]
    const startedAt = new Date(now.getTime() - (1 + i * 8) * 3_600_000)
    return {
      title,
      startedAt,
      project: i % 2 === 0 ? 'product' : 'sales',
      platform: i % 3 === 0 ? 'microsoft_teams' : 'google_meet',
      summary: [gist, 'The next meeting is in a week.'],
      decisions: DECISIONS[i % EXAMPLE_TOPICS.length] ?? [],
      ...(i === 0 && { actions }),
    }
  })
}

const NAMES = ['Ana Ribeiro', 'Ben Carter', 'Chloe Martin', 'Dev Patel'] as const
const [ANA, BEN, CHLOE, DEV] = NAMES
const CONVERSATION: ReadonlyArray<readonly [speaker: string, text: string]> = [
  [ANA, 'Good morning, everyone. Let us look at the new empty states first.'],
  [CHLOE, 'I redrew all of them, so the lines have one width now.'],
  [BEN, 'They look much calmer than before.'],
  [DEV, 'On a phone the button was too close to the edge, so I moved it up.'],
  [ANA, 'Does that also work with large text?'],
  [DEV, 'Yes, I checked it with the largest setting.'],
  [CHLOE, 'The labels of the charts are next. Who checks their contrast?'],
  [BEN, 'I can do that today, it is not much work.'],
  [ANA, 'Then the dark theme. Customers told us that they like it.'],
  [ANA, 'We decided to keep the dark theme as it is.'],
  [CHLOE, 'Good, that saves us a week.'],
  [BEN, 'I will send the icons to Chloe by Wednesday.'],
  [CHLOE, 'Thank you. I need them in two sizes.'],
  [DEV, 'Should the icons also be part of the release notes?'],
  [ANA, 'Yes, with a picture of the old and the new ones.'],
]

/** Who is in the live meeting and what they have said. */
export const LIVE_EVENTS: readonly PlatformEvent[] = [
  { kind: 'people', people: NAMES.map((name, i) => ({ id: `p${i}`, name, isHost: i === 0 })) },
  ...CONVERSATION.map(([speaker, text], i): PlatformEvent => ({
    kind: 'caption',
    captionId: `c${i}`,
    speaker,
    text,
    version: 1,
    isFinal: true,
  })),
]

/** A sentence that is not yet complete. */
export function sayPartial(text: string): PlatformEvent {
  return { kind: 'caption', captionId: 'partial', speaker: BEN, text }
}

export const PLAN = `---
title: Plan for the quarter
---
# Plan for the quarter

The **search page** comes first, because every team uses it daily.

- [x] Measure how long a search takes
- [ ] Build the new filters
- [ ] Tell the customers

| Part | Owner | Due |
|---|---|---|
| Search page | Ben | Friday |
| Filters | Chloe | Next month |

> Northwind starts with thirty seats in January.

\`\`\`
npm run bench -- recall
\`\`\`
`

export const NORTHWIND_NOTES = `---
title: Notes about Northwind
---
# Notes about Northwind

They start with thirty seats in January and sell mostly on phones. Their people ask for two things: the **address step**
without a keyboard, and invoices in two currencies.
`

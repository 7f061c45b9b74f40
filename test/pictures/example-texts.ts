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
      ...(i === 0 && { actions }),
    }
  })
}

const NAMES = ['Ana Ribeiro', 'Ben Carter', 'Chloe Martin', 'Dev Patel'] as const
const SENTENCES = [
  'Let us look at the new empty states first.',
  'I like that the drawings have one line width now.',
  'On a phone the button is too close to the edge, so I moved it up.',
  'We decided to keep the dark theme as it is.',
  'Ben will send the icons to Chloe by Wednesday.',
  'Who checks the contrast of the labels?',
  'I can do that today, it is not much work.',
] as const

/** Who is in the live meeting and what they have said, the last sentence not yet complete. */
export const LIVE_EVENTS: readonly PlatformEvent[] = [
  { kind: 'people', people: NAMES.map((name, i) => ({ id: `p${i}`, name, isHost: i === 0 })) },
  ...Array.from({ length: 28 }, (_, i): PlatformEvent => {
    const speaker = NAMES[Math.floor(i / 2) % NAMES.length] ?? NAMES[0]
    const text = `${SENTENCES[i % SENTENCES.length]} That is point ${i + 1}.`
    return { kind: 'caption', captionId: `c${i}`, speaker, text, version: 1, isFinal: true }
  }),
  {
    kind: 'caption',
    captionId: 'partial',
    speaker: NAMES[1],
    text: 'And the last thing for today is',
    version: 1,
  },
]

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

import { z } from 'zod'
import type { Brief, BriefStatement as CollectedStatement } from '../../brief/brief.ts'
import { Instant, MeetingId, NullableText } from './common.ts'
import { DueDate } from './meetings/recap.ts'
import { MEETING_RELATIONS } from './values.ts'

const statementFields = {
  text: z.string().meta({ examples: ['Send the new price list'] }),
  meetingId: MeetingId.describe('The earlier meeting in which it was said'),
  segmentNumbers: z.array(z.int().min(1)).describe('The segments that it comes from'),
}
const BriefStatement = z
  .object({ ...statementFields, speaker: NullableText })
  .meta({ id: 'BriefStatement' })

/** What the caller may read about the meetings before an upcoming one. */
export const BriefResponse = z.object({
  upcomingId: z.string(),
  title: z.string(),
  startsAt: Instant,
  people: z
    .array(
      z.object({
        name: NullableText.describe('Null without an account'),
        address: z.string(),
      }),
    )
    .describe(
      'Who was invited and did not decline; empty if it is not your calendar and you are not invited',
    ),
  meetings: z
    .array(
      z
        .object({
          meetingId: MeetingId,
          title: z.string(),
          project: z.string(),
          startedAt: Instant,
          relation: z
            .enum(MEETING_RELATIONS)
            .describe(
              '`series`: the same series or title; `people`: at least half of the other people',
            ),
          gist: NullableText.describe('One line about it; null without a recap'),
        })
        .meta({ id: 'EarlierMeeting' }),
    )
    .describe('Earlier meetings, of the series first'),
  decisions: z.array(BriefStatement).describe('Of the three newest of these meetings'),
  actions: z
    .array(
      z
        .object({ ...statementFields, owner: NullableText, dueDate: DueDate.nullable() })
        .meta({ id: 'BriefAction' }),
    )
    .describe('What is still to be done from these meetings'),
  openQuestions: z.array(BriefStatement).describe('Of the three newest of these meetings'),
  documents: z
    .array(z.object({ project: z.string(), path: z.string(), title: z.string() }))
    .describe('Documents of the project with all words of the title'),
})

export type ApiBrief = z.input<typeof BriefResponse>

export function toApiBrief(brief: Brief): z.output<typeof BriefResponse> {
  const { id: upcomingId, title, startsAt, people } = brief.upcoming
  const toStatement = ({
    text,
    person: speaker,
    meetingId,
    segmentNumbers,
  }: CollectedStatement) => ({
    text,
    speaker,
    meetingId,
    segmentNumbers,
  })
  return {
    upcomingId,
    title,
    startsAt,
    people,
    meetings: brief.meetings,
    decisions: brief.decisions.map(toStatement),
    actions: brief.actions.map(({ person: owner, ...action }) => ({ ...action, owner })),
    openQuestions: brief.openQuestions.map(toStatement),
    documents: brief.documents,
  }
}

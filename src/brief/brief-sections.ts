import { formatDay } from '../lib/time/day-text.ts'
import type { Brief, BriefStatement } from './brief.ts'

/** A line of a brief as text, with the place in the console that it comes from. All texts are plain. */
export type BriefItem = {
  text: string
  /** Facts about it, such as who does it. */
  notes: string[]
  /** The path of a page of the console, and what names it. */
  link: { label: string; path: string }
}

export type BriefSection = { heading: string; items: BriefItem[] }

/** A brief as lists, for everything but the console. Sections without an item are left out. */
export function listBriefSections(brief: Brief): BriefSection[] {
  const labels = new Map(
    brief.meetings.map(({ meetingId, title, startedAt }) => [
      meetingId,
      `${title}, ${formatDay(startedAt.toISOString().slice(0, 10))}`,
    ]),
  )
  const toItem = ({ text, person, dueDate, meetingId, segmentNumbers }: BriefStatement) => ({
    text,
    notes: [
      ...(person === null || person === '' ? [] : [person]),
      ...(dueDate === null ? [] : [`due ${formatDay(dueDate)}`]),
    ],
    link: {
      label: labels.get(meetingId) ?? 'Meeting',
      path: `/meetings/${meetingId}#line-${segmentNumbers[0] ?? 1}`,
    },
  })
  const sections: BriefSection[] = [
    { heading: 'Still to do', items: brief.actions.map(toItem) },
    { heading: 'Open questions', items: brief.openQuestions.map(toItem) },
    { heading: 'Decided before', items: brief.decisions.map(toItem) },
    {
      heading: 'Earlier meetings',
      items: brief.meetings.map(({ meetingId, title, gist, relation }) => ({
        text: gist ?? title,
        notes: relation === 'people' ? ['with the same people'] : [],
        link: { label: labels.get(meetingId) ?? title, path: `/meetings/${meetingId}` },
      })),
    },
    {
      heading: 'Documents',
      items: brief.documents.map(({ project, path, title }) => ({
        text: title,
        notes: [],
        link: {
          label: path,
          path: `/projects/${[project, ...path.split('/')].map(encodeURIComponent).join('/')}`,
        },
      })),
    },
  ]
  return sections.filter(({ items }) => items.length > 0)
}

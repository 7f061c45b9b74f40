import type { ApiTaskTrigger } from '../../../src/http/shapes/tasks.ts'
import { BRIEF_MINUTES, type TriggerEvent } from '../../../src/http/shapes/values.ts'
import { PLATFORM_LABELS } from '../../meetings/meeting-labels.ts'

export const TRIGGER_EVENT_LABELS: Record<TriggerEvent, string> = {
  meeting_ended: 'When a meeting ends',
  document_saved: 'When a document is saved',
  before_meeting: 'Before a meeting starts',
}

/** The conditions of a trigger in words, one for each that is set. */
function listTriggerConditions(trigger: ApiTaskTrigger): string[] {
  const { projects } = trigger
  const inProjects = projects === undefined ? [] : [`in ${projects.join(', ')}`]
  if (trigger.on === 'document_saved') {
    const { pathPattern } = trigger
    return [...inProjects, ...(pathPattern === undefined ? [] : [`path “${pathPattern}”`])]
  }
  if (trigger.on === 'before_meeting')
    return [
      `${trigger.minutes ?? BRIEF_MINUTES.default} min before`,
      ...inProjects,
      ...listMeetingConditions(trigger),
    ]
  const { minWords, minMinutes, statuses = ['ended'] } = trigger
  return [
    ...(statuses.includes('error')
      ? [statuses.includes('ended') ? 'also failed meetings' : 'failed meetings only']
      : []),
    ...inProjects,
    ...listMeetingConditions(trigger),
    ...(minWords === undefined ? [] : [`at least ${minWords} words`]),
    ...(minMinutes === undefined ? [] : [`at least ${minMinutes} min`]),
  ]
}

function listMeetingConditions({
  platforms,
  titlePattern,
}: Exclude<ApiTaskTrigger, { on: 'document_saved' }>): string[] {
  return [
    ...(platforms === undefined
      ? []
      : [platforms.map((platform) => PLATFORM_LABELS[platform]).join(', ')]),
    ...(titlePattern === undefined ? [] : [`title “${titlePattern}”`]),
  ]
}

/** `When a meeting ends: in sales; at least 50 words`. */
export function describeTrigger(trigger: ApiTaskTrigger): string {
  const conditions = listTriggerConditions(trigger)
  const event = TRIGGER_EVENT_LABELS[trigger.on]
  return conditions.length === 0 ? event : `${event}: ${conditions.join('; ')}`
}

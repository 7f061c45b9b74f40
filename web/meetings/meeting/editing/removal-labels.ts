import type { RemovedCounts } from '../../../../client/index.js'
import { formatCountWithNoun } from '../../../ui/format/format-text.ts'

/** Labels of a deleted meeting's data, by count in the report: the singular, and the plural if it is irregular. */
const REMOVED_LABELS: Record<keyof RemovedCounts, [one: string, many?: string]> = {
  segments: ['line of the transcript', 'lines of the transcript'],
  documents: ['document'],
  recaps: ['recap'],
  actions: ['action item'],
  insights: ['insight'],
  comments: ['comment'],
  chatMessages: ['chat message'],
  participants: ['participant'],
  events: ['event'],
  deliveries: ['callback attempt'],
  evidence: ['screenshot'],
  edits: ['change in the history', 'changes in the history'],
}

/** The lines of the report about a deleted meeting, without counts of zero. */
export function listRemoved(counts: RemovedCounts): string[] {
  return Object.entries(REMOVED_LABELS).flatMap(([name, [one, many]]) => {
    const count = counts[name as keyof RemovedCounts]
    return count === 0 ? [] : [formatCountWithNoun(count, one, many)]
  })
}

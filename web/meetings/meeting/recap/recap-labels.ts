import type { RecapSectionName } from '../../../../src/http/shapes/values.ts'

export const RECAP_SECTION_LABELS: Record<RecapSectionName, string> = {
  summary: 'Summary',
  decisions: 'Decisions',
  actions: 'Action items',
  openQuestions: 'Open questions',
  topics: 'Topics',
}

import { GAP_CAUSE_TEXTS } from '../../transcript/gap-causes.ts'

const CAUSES = new Set<string>(Object.values(GAP_CAUSE_TEXTS))
const GAP_NOTE = /^[[(*]\d.{0,40} not recorded: (.{1,60})[\])*]$/u

/** Whether a text is what Hansard writes in place of a gap. Nobody said it. */
export function isGapNote(text: string): boolean {
  const [, cause] = GAP_NOTE.exec(text.trim()) ?? []
  return cause !== undefined && CAUSES.has(cause)
}

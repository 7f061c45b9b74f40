import type { Prompt } from '../prompt-files.ts'
import type { TemplateRenderer } from '../template/template-renderer.ts'
import { checkTemplate, type CheckedTemplate } from './find-prompt-notes.ts'

export type TemplateCheck = (prompt: Prompt) => Promise<CheckedTemplate>

/** More than the prompts of an instance, so that the gallery does not check the same texts at every request. */
const MAX_REMEMBERED = 1000

/** Checks the templates of prompts, each text without errors once. */
export function createTemplateCheck(renderer: TemplateRenderer): TemplateCheck {
  const bySha256 = new Map<string, CheckedTemplate>()
  return async (prompt) => {
    const remembered = bySha256.get(prompt.sha256)
    if (remembered !== undefined) return remembered
    const checked = await checkTemplate(prompt, renderer)
    // A busy machine can exceed a limit of time, so the next request tries again.
    if (checked.notes.some(({ severity }) => severity === 'error')) return checked
    const [oldest] = bySha256.keys()
    if (bySha256.size >= MAX_REMEMBERED && oldest !== undefined) bySha256.delete(oldest)
    bySha256.set(prompt.sha256, checked)
    return checked
  }
}

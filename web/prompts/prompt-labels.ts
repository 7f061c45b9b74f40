import type { ApiGalleryPrompt } from '../../src/http/shapes/prompts.ts'
import type { PromptRefusal } from '../../src/http/shapes/values.ts'

/** Why a person cannot change a prompt. */
export const REFUSAL_LABELS: Record<PromptRefusal, string> = {
  built_in:
    'This prompt comes with Hansard and cannot be changed. Duplicate it to make your own version.',
  not_author:
    'Only the person who wrote this prompt and admins can change it. Duplicate it to make your own version.',
  used_by_others:
    'Other people’s tasks use this prompt, so only an admin can change it. Duplicate it to make your own version.',
}

type Needs = Pick<ApiGalleryPrompt, 'model' | 'builtin'>

/** Says whether a prompt needs a language model, and which one. */
export function describeModelNeed({ model, builtin }: Needs): string {
  if (model?.startsWith('builtin/')) return 'Not needed'
  if (model !== null) return model
  return builtin === null ? 'Needed' : 'Optional'
}

/** Where a prompt comes from. */
export function describeOrigin({
  isBuiltIn,
  authorName,
}: Pick<ApiGalleryPrompt, 'isBuiltIn' | 'authorName'>): string {
  if (isBuiltIn) return 'Built in'
  return authorName === null ? 'Shared' : `By ${authorName}`
}

/** A name for a copy that no other prompt has. */
export function suggestCopyName(name: string, taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const copy = number === 1 ? `${name}-copy` : `${name}-copy-${number}`
    if (!taken.includes(copy)) return copy
  }
}

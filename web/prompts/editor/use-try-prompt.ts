import { useNavigate } from '@tanstack/react-router'
import type { WirePromptTrial } from '../../../src/http/shapes/prompts.ts'
import { useApi } from '../../api/app-state.tsx'

/** Runs a prompt once and opens the page of the run. */
export function useTryPrompt(): (promptName: string) => Promise<void> {
  const api = useApi()
  const navigate = useNavigate()
  return async (promptName) => {
    const { executionId } = await api.post<WirePromptTrial>('/web/prompt-trials', { promptName })
    await navigate({ to: '/runs/$executionId', params: { executionId } })
  }
}

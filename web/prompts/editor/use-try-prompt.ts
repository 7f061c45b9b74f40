import { useNavigate } from '@tanstack/react-router'
import { useApi } from '../../api/app-state.tsx'

/** Runs a prompt once and opens the page of the run. */
export function useTryPrompt(): (promptName: string) => Promise<void> {
  const api = useApi()
  const navigate = useNavigate()
  return async (promptName) => {
    const { executionId } = await api.prompts.try({ promptName })
    await navigate({ to: '/runs/$executionId', params: { executionId } })
  }
}

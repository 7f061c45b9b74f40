import { Text, List } from '@mantine/core'
import type { ApiPrompt } from '../../src/http/shapes/tasks.ts'
import { useSignedInUser } from '../api/use-api.tsx'
import { TextLink } from '../ui/links.tsx'
import { usePromptGallery, usePrompts } from './queries.ts'
import { Notice, StateBadge } from '../ui/text.tsx'

/** Says which setting of a model is missing. Null if the prompt can run. */
export function findModelProblem({ problems }: Pick<ApiPrompt, 'problems'>): string | null {
  return problems.find(({ path }) => path === 'model')?.message ?? null
}

/** The names of prompts that currently no model can answer. Empty until the prompts are loaded. */
export function usePromptsWithoutModel(): ReadonlySet<string> {
  const { data } = usePrompts()
  const found = data?.prompts.filter((prompt) => findModelProblem(prompt) !== null) ?? []
  return new Set(found.map(({ name }) => name))
}

/** Shown in place of a run that could only fail: what is missing, and who can set it up. */
export function ModelNeeded({ what = 'This prompt' }: { what?: string }) {
  return (
    <Notice>
      {what} needs a language model, and none is set up for it. <ModelHelp />
    </Notice>
  )
}

/** Marks a prompt that currently no model can answer. Above the list, the page says what to do. */
export function ModelNeededBadge() {
  return <StateBadge colour="orange">Needs a model</StateBadge>
}

/** Shown once above a list with marked prompts. */
export function ModelNeededByMarked() {
  return (
    <Notice>
      Prompts marked “Needs a model” can’t run yet, because no language model is set up for them.{' '}
      <ModelHelp />
    </Notice>
  )
}

/** Admins get a link, other users the names of the admins. */
export function ModelHelp() {
  const isAdmin = useSignedInUser().role === 'admin'
  return isAdmin ? (
    <TextLink to="/system" search={{ tab: 'models' }} inherit style={{ whiteSpace: 'nowrap' }}>
      Set up a model
    </TextLink>
  ) : (
    <AskAdmin />
  )
}

function AskAdmin() {
  const admins = usePromptGallery().data?.admins ?? []
  const names = new Intl.ListFormat('en', { type: 'disjunction' }).format(admins)
  return <>Ask {admins.length === 0 ? 'an administrator' : names} to set one up.</>
}

interface PromptProblemsProps {
  problems: ReadonlyArray<{ path: string; message: string }>
}

/** Why a prompt cannot run. */
export function PromptProblems({ problems }: PromptProblemsProps) {
  if (problems.length === 0) return null
  return (
    <div className="notice notice-error" role="note">
      <Text size="sm" fw={600}>
        This prompt cannot run:
      </Text>
      <List size="sm">
        {problems.map(({ path, message }) => (
          <List.Item key={`${path} ${message}`} className="break-anywhere">
            {path === '' ? message : `${path}: ${message}`}
          </List.Item>
        ))}
      </List>
    </div>
  )
}

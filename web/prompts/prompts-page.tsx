import { Stack, Group, Text, Card, Title, SimpleGrid } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import './prompts.css'
import { ModelNeededByMarked, ModelNeededBadge, PromptProblems } from '../tasks/model-needed.tsx'
import { usePromptGallery } from '../tasks/queries.ts'
import { TaskDialog } from '../tasks/task-dialog.tsx'
import { QueryView } from '../ui/feedback/feedback.tsx'
import { useShortcuts } from '../ui/use-shortcuts.ts'
import { type DescriptionItem, PageTitle, DescriptionList } from '../ui/layout.tsx'
import { ButtonLink, TextLink, taskPage } from '../ui/links.tsx'
import type { ApiGalleryPrompt } from '../../src/http/shapes/prompts.ts'
import { RowButton } from '../ui/tables/data-table.tsx'
import type { PromptRefusal } from '../../src/http/shapes/values.ts'
import { StateBadge, Hint } from '../ui/text.tsx'

/** All prompts: their purpose, what they need and which tasks use them. */
export function PromptsPage() {
  const query = usePromptGallery()
  const navigate = useNavigate()
  const [promptName, setPromptName] = useState<string | null>(null)
  useShortcuts({ n: () => void navigate({ to: '/new-prompt' }) })
  return (
    <Stack gap="lg" maw={1200}>
      <Group justify="space-between" gap="sm">
        <PageTitle>Prompts</PageTitle>
        <ButtonLink to="/new-prompt">New prompt</ButtonLink>
      </Group>
      <Text maw={680}>
        A prompt says what Hansard should write about your meetings and documents. Run it once, or
        use it in a task that runs on a schedule or after each meeting.
      </Text>
      <QueryView query={query} label="the prompts">
        {({ prompts }) =>
          prompts.length === 0 ? (
            <Text>No prompts yet. Write the first one.</Text>
          ) : (
            <>
              {prompts.some(({ modelProblem }) => modelProblem !== null) && <ModelNeededByMarked />}
              <SimpleGrid cols={{ base: 1, md: 2 }} component="ul" className="plain-list">
                {prompts.map((prompt) => (
                  <PromptCard
                    key={prompt.name}
                    prompt={prompt}
                    onUse={() => setPromptName(prompt.name)}
                  />
                ))}
              </SimpleGrid>
            </>
          )
        }
      </QueryView>
      {promptName !== null && (
        <TaskDialog
          promptName={promptName}
          onClose={() => setPromptName(null)}
          onSaved={({ name }) => void navigate(taskPage(name))}
        />
      )}
    </Stack>
  )
}

interface PromptCardProps {
  prompt: ApiGalleryPrompt
  /** Called when the user wants to use the prompt in a task. */
  onUse: () => void
}

function PromptCard({ prompt, onUse }: PromptCardProps) {
  const { name, description, problems, refusal, modelProblem } = prompt
  const page = { to: '/prompts/$', params: { _splat: name } } as const
  return (
    <Card component="li" withBorder padding="md">
      <Stack gap="sm" h="100%">
        <Group justify="space-between" align="flex-start" gap="xs">
          <Title order={2} size="h4" className="break-anywhere" flex="1 1 8rem">
            <TextLink {...page} inherit>
              {name}
            </TextLink>
          </Title>
          <Group gap={6}>
            {modelProblem !== null && <ModelNeededBadge />}
            <StateBadge colour="gray">{describeOrigin(prompt)}</StateBadge>
          </Group>
        </Group>
        <Text size="sm" className="break-anywhere" {...(description === null && { c: 'dimmed' })}>
          {description ?? 'No description.'}
        </Text>
        <Hint>
          Used by <UsingTasks prompt={prompt} />
        </Hint>
        <details className="prompt-details">
          <summary aria-label={`Details of ${name}`}>Details</summary>
          <DescriptionList facts={toDetails(prompt)} />
        </details>
        <PromptProblems problems={problems} />
        <Group gap="xs" mt="auto">
          {problems.length === 0 && (
            <RowButton label="Use in a task" ariaLabel={`Use in a task: ${name}`} onClick={onUse} />
          )}
          <ButtonLink
            {...page}
            variant="default"
            size="xs"
            aria-label={`${refusal === null ? 'Edit' : 'View'} ${name}`}
          >
            {refusal === null ? 'Edit' : 'View'}
          </ButtonLink>
          {problems.length === 0 && (
            <ButtonLink
              to="/new-prompt"
              search={{ from: name }}
              variant="default"
              size="xs"
              aria-label={`Duplicate ${name}`}
            >
              Duplicate
            </ButtonLink>
          )}
        </Group>
      </Stack>
    </Card>
  )
}

/** Details that matter to people who write prompts. */
function toDetails(prompt: ApiGalleryPrompt): DescriptionItem[] {
  const { variables, tools } = prompt
  return [
    ['Language model', describeModelNeed(prompt)],
    ...(variables.length === 0
      ? []
      : [['Variables', <Chips key="variables" names={variables} />] satisfies DescriptionItem]),
    ...(tools.length === 0
      ? []
      : [['Tools', <Chips key="tools" names={tools} />] satisfies DescriptionItem]),
  ]
}

function Chips({ names }: { names: readonly string[] }) {
  return (
    <span className="prompt-chips">
      {names.map((name) => (
        <code key={name}>{name}</code>
      ))}
    </span>
  )
}

/** The tasks that use a prompt, as links. About tasks that the user may not see, it only says that there are some. */
export function UsingTasks({
  prompt: { tasks, hasHiddenTasks },
}: {
  prompt: Pick<ApiGalleryPrompt, 'tasks' | 'hasHiddenTasks'>
}) {
  if (tasks.length === 0 && !hasHiddenTasks) return <>no task yet</>
  return (
    <>
      {tasks.map((name, i) => (
        <span key={name}>
          {i > 0 && ', '}
          <TextLink {...taskPage(name)} inherit>
            {name}
          </TextLink>
        </span>
      ))}
      {hasHiddenTasks && `${tasks.length > 0 ? ' and ' : ''}tasks that you cannot see`}
    </>
  )
}

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
function describeModelNeed({ model, builtin }: Needs): string {
  if (model?.startsWith('builtin/')) return 'Not needed'
  if (model !== null) return model
  return builtin === null ? 'Needed' : 'Optional'
}

/** Where a prompt comes from. */
function describeOrigin({
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

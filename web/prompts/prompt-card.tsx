import { Badge, Card, Group, Stack, Text, Title } from '@mantine/core'
import type { ApiGalleryPrompt } from '../../src/http/shapes/prompts.ts'
import { ModelNeededBadge } from '../tasks/model-needed.tsx'
import { PromptProblems } from '../tasks/prompt-problems.tsx'
import { DescriptionList, type DescriptionItem } from '../ui/layout/description-list.tsx'
import { ButtonLink, TextLink } from '../ui/links.tsx'
import { RowButton } from '../ui/tables/data-table.tsx'
import { describeModelNeed, describeOrigin } from './prompt-labels.ts'

interface PromptCardProps {
  prompt: ApiGalleryPrompt
  /** Called when the user wants to use the prompt in a task. */
  onUse: () => void
}

export function PromptCard({ prompt, onUse }: PromptCardProps) {
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
            <Badge className="badge badge-gray" variant="default" radius="sm" tt="none">
              {describeOrigin(prompt)}
            </Badge>
          </Group>
        </Group>
        <Text size="sm" className="break-anywhere" {...(description === null && { c: 'dimmed' })}>
          {description ?? 'No description.'}
        </Text>
        <Text size="sm" c="dimmed" className="break-anywhere">
          Used by <UsingTasks prompt={prompt} />
        </Text>
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
          <TextLink to="/tasks/$name" params={{ name }} inherit>
            {name}
          </TextLink>
        </span>
      ))}
      {hasHiddenTasks && `${tasks.length > 0 ? ' and ' : ''}tasks that you cannot see`}
    </>
  )
}

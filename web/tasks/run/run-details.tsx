import { Anchor, Code, Group, Stack, Title } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import type { WireFullExecution, WireTask } from '../../../src/http/shapes/tasks.ts'
import { formatCost, TRIGGER_LABELS, usedNoModel } from '../task-labels.ts'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { savedDocumentLink } from '../../projects/saved-document-link.ts'

type RunDetailsProps = { execution: WireFullExecution; task: WireTask | undefined }

/** What it ran on, what it used, what it left. */
export function RunDetails({ execution, task }: RunDetailsProps) {
  const { executionId } = execution
  return (
    <Stack gap="md" component="section" aria-labelledby="description-list">
      <Title order={2} id="description-list">
        Facts
      </Title>
      <dl className="description-list">
        {toDetailItems(execution, task).map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
      <Group gap="xs">
        <CopyButton text={executionId} what="id" showsLabel />
        <CopyButton
          text={`curl -H "X-API-Key: $HANSARD_API_KEY" ${window.location.origin}/api/v1/executions/${executionId}`}
          what="as curl"
          showsLabel
        />
      </Group>
    </Stack>
  )
}

function toDetailItems(execution: WireFullExecution, task: WireTask | undefined) {
  const { triggerType, missed, model, attempts = 1, documentPath, status } = execution
  const isRunning = status === 'running'
  const facts: Array<[string, ReactNode]> = [
    ['Begun', `${TRIGGER_LABELS[triggerType]}${missed ? `, ${missed} missed before it` : ''}`],
    ['Model', model ?? '–'],
    ...toTokenItems(execution),
    ['Cost', isRunning ? 'known when it ends' : formatCost(execution)],
    ['Prompt', <PromptVersion key="prompt" execution={execution} task={task} />],
    ...(attempts > 1 ? [['Attempts', attempts] as [string, ReactNode]] : []),
    [
      'Document',
      documentPath === undefined ? (
        <>{isRunning ? 'saved when it ends' : 'none'}</>
      ) : (
        <DocumentLink key="document" documentPath={documentPath} />
      ),
    ],
  ]
  return facts
}

function toTokenItems(execution: WireFullExecution): Array<[string, ReactNode]> {
  const { inputTokens, cachedInputTokens, outputTokens, usageMissing, model } = execution
  if (execution.status === 'running') return [['Tokens', 'counted when it ends']]
  if (usedNoModel(execution)) return [['Tokens', 'none: no language model was used']]
  if (model === undefined) return [['Tokens', '–']]
  if (usageMissing) return [['Tokens', 'not reported by the provider']]
  const cached =
    cachedInputTokens === undefined ? '' : ` (${cachedInputTokens.toLocaleString('en')} cached)`
  return [
    ['Tokens in', `${inputTokens.toLocaleString('en')}${cached}`],
    ['Tokens out', outputTokens.toLocaleString('en')],
  ]
}

/** The file's first characters of its hash tell versions apart; the text itself is below the output. */
function PromptVersion({ execution: { promptHash, startedAt }, task }: RunDetailsProps) {
  const isSame = task !== undefined && task.updatedAt <= startedAt
  return (
    <>
      {task && (isSame ? `${task.promptName}.md` : `${task.promptName}.md by now`)}
      {promptHash !== undefined && (
        <>
          {' '}
          version <Code title={promptHash}>{promptHash.slice(0, 7)}</Code>
        </>
      )}
    </>
  )
}

function DocumentLink({ documentPath }: { documentPath: string }) {
  const place = savedDocumentLink(documentPath)
  if (place === null) return <>{documentPath}</>
  return <Anchor href={place.href}>{place.path}</Anchor>
}

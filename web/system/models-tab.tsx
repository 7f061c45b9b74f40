import { Button, Code, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { WireModelCheck, WireModels } from '../../src/http/shapes/system.ts'
import { useApi } from '../app-state.tsx'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { FactsCard } from '../ui/facts-card.tsx'
import { TextField } from '../ui/fields.tsx'
import { Form, readText } from '../ui/form.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { SectionHead } from '../ui/section-head.tsx'
import { useAction } from '../ui/use-action.ts'
import { useModels } from './queries.ts'

type Row = WireModels['providers'][number] & { id: string }

const COLUMNS: [Column<Row>, ...Column<Row>[]] = [
  { head: 'Provider', cell: ({ name }) => name },
  { head: 'State', cell: ({ isConfigured }) => (isConfigured ? 'configured' : 'not configured') },
  { head: 'Set with', cell: (row) => <Code>{settingOf(row)}</Code> },
]

/** Keys are settings of the machine: they are never shown and never sent. */
export function ModelsTab() {
  const query = useModels()
  return (
    <Stack gap="lg">
      <SectionHead
        title="Language models"
        about="What tasks and the coach can ask. Keys are settings of the machine; this page never sees them."
      />
      <Loaded query={query} what="the models">
        {({ defaultModel, coachModel, providers }) => (
          <>
            <FactsCard
              title="In use"
              facts={[
                ['Tasks', defaultModel ?? 'the built-in rules, which need no model'],
                ['Coach', coachModel ?? 'the built-in rules, which need no model'],
              ]}
            />
            <DataTable
              caption="Providers"
              rows={providers.map((provider) => ({ ...provider, id: provider.name }))}
              columns={COLUMNS}
            />
            <Ask model={defaultModel ?? coachModel ?? ''} />
          </>
        )}
      </Loaded>
    </Stack>
  )
}

function settingOf({ name, keySetting }: Row): string {
  return name === 'openai-compatible' ? 'HANSARD_AI_BASE_URL' : keySetting
}

/** Only on a click: an answer costs a few tokens. */
function Ask({ model }: { model: string }) {
  const api = useApi()
  const [answer, setAnswer] = useState<WireModelCheck | null>(null)
  const action = useAction(async (values: FormData) => {
    setAnswer(null)
    const body = { model: readText(values, 'model').trim() }
    setAnswer(await api.post<WireModelCheck>('/web/system/models/check', body))
  })
  return (
    <FactsCard title="Does it answer?" facts={[]}>
      <Form action={action}>
        <TextField
          name="model"
          label="Model"
          description="As provider/model. It is asked for one word, which costs a few tokens."
          defaultValue={model}
          maxLength={200}
        />
        <Group gap="md">
          <Button type="submit" loading={action.isRunning}>
            Ask it
          </Button>
          <Text role="status" className="break-anywhere" flex="1 1 200px">
            {answer &&
              `${answer.ok ? 'Yes' : 'No'}: ${answer.detail} (${answer.durationMs.toLocaleString('en')} ms)`}
          </Text>
        </Group>
      </Form>
    </FactsCard>
  )
}

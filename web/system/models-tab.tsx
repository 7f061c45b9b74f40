import { useState } from 'react'
import { Stack, Group, Button, Text, Code } from '@mantine/core'
import type { ApiModelCheckResult, ApiModelSettings } from '../../src/http/shapes/system.ts'
import { useApi, useApiQuery } from '../api/use-api.tsx'
import { type Column, DataTable } from '../ui/tables/data-table.tsx'
import { InfoCard, SectionHeader } from '../ui/layout.tsx'
import { Form, readFormText, useAction } from '../ui/forms.tsx'
import { QueryView } from '../ui/feedback/feedback.tsx'
import { TextField } from '../ui/fields.tsx'

type Row = ApiModelSettings['providers'][number] & { id: string }

const COLUMNS: [Column<Row>, ...Column<Row>[]] = [
  { header: 'Provider', cell: ({ name }) => name },
  {
    header: 'Status',
    cell: ({ isConfigured }) => (isConfigured ? 'configured' : 'not configured'),
  },
  { header: 'Setting', cell: (row) => <Code>{settingOf(row)}</Code> },
]

/** Configured language models. API keys are server settings, which the API never returns. */
export function ModelsTab() {
  const query = useApiQuery(['system', 'models'], (api) => api.system.models())
  return (
    <Stack gap="lg">
      <SectionHeader
        title="Language models"
        description="Models for tasks, the coach, recaps and questions. API keys are set on the server and never shown here."
      />
      <QueryView query={query} label="the models">
        {({ defaultModel, coachModel, recapModel, askModel, providers }) => (
          <>
            <InfoCard
              title="In use"
              facts={[
                ['Tasks', defaultModel ?? 'built-in rules (no model)'],
                ['Coach', coachModel ?? 'built-in rules (no model)'],
                ['Recaps', recapModel ?? 'built-in rules (no model)'],
                ['Questions', askModel ?? 'no model, shows the passages that match best'],
              ]}
            />
            <DataTable
              caption="Providers"
              rows={providers.map((provider) => ({ ...provider, id: provider.name }))}
              columns={COLUMNS}
            />
            <ModelTest model={defaultModel ?? coachModel ?? ''} />
          </>
        )}
      </QueryView>
    </Stack>
  )
}

function settingOf({ name, keySetting }: Row): string {
  return name === 'openai-compatible' ? 'HANSARD_AI_BASE_URL' : keySetting
}

/** Tests a model only on request, because each test costs a few tokens. */
function ModelTest({ model }: { model: string }) {
  const api = useApi()
  const [answer, setAnswer] = useState<ApiModelCheckResult | null>(null)
  const action = useAction(async (values: FormData) => {
    setAnswer(null)
    const body = { model: readFormText(values, 'model') }
    setAnswer(await api.system.modelsCheck(body))
  })
  return (
    <InfoCard title="Test a model" facts={[]}>
      <Form action={action}>
        <TextField
          name="model"
          label="Model"
          description="In the form provider/model. The test asks for one word, which costs a few tokens."
          defaultValue={model}
          maxLength={200}
          autoComplete="on"
        />
        <Group gap="md">
          <Button type="submit" loading={action.isRunning}>
            Test
          </Button>
          <Text role="status" className="break-anywhere" flex="1 1 200px">
            {answer &&
              `${answer.ok ? 'Success' : 'Failed'}: ${answer.detail} (${answer.durationMs.toLocaleString('en')} ms)`}
          </Text>
        </Group>
      </Form>
    </InfoCard>
  )
}

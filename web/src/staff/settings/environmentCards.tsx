import { Button, Code, DataList, Group, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Note, PageSection } from '../../admin/PageSection.tsx'
import { format, rich } from '../../format/message.ts'
import { GatewayStates } from '../sales/GatewayStates.tsx'
import type { Everything } from './settingsGroup.ts'
import * as texts from './texts.ts'

/** What is set outside of the settings: in the environment, and on the site's pages. */

type Props = { all: Everything }

/** The payment providers, and whether they accept the pool's keys. */
export function GatewaysCard({ all }: Props) {
  const gateways = all.environment.flatMap(({ facts }) => facts).find(({ name }) => name === 'GATEWAYS')
  return (
    <PageSection title={texts.paymentProviders}>
      <Note>
        {rich(texts.setInTheEnvironmentGateways, {
          value: gateways?.value ?? texts.notSet,
          code: (inside) => <Code>{inside}</Code>,
        })}
      </Note>
      <GatewayStates />
    </PageSection>
  )
}

const PAGE_STATES: Record<Everything['pages'][number]['state'], string> = {
  not_written: texts.notWrittenYetVisitorsSee,
  sample: texts.sampleTextReplaceItWith,
  written: texts.published,
}

/** Whether the pages that an operator has to write are written. */
export const PagesCard = ({ all }: Props) => (
  <PageSection title={texts.legalAndInfoPages}>
    {all.pages.map(({ slug, title, state, gaps }) => (
      <Group key={slug} justify="space-between" wrap="nowrap">
        <div>
          <Text fw={580}>{title}</Text>
          <Text fz="sm" c={state !== 'written' || gaps > 0 ? 'var(--warn)' : 'var(--text-2)'}>
            {PAGE_STATES[state]}
            {gaps > 0 && ` · ${format(texts.placeholdersToFillIn, { gaps })}`}
          </Text>
        </div>
        <Button
          variant="default"
          style={{ flexShrink: 0 }}
          aria-label={format(texts.editTitleLabel, { title })}
          renderRoot={(props) => <Link {...props} to="/staff/pages" search={{ open: slug }} />}
        >
          {texts.edit}
        </Button>
      </Group>
    ))}
  </PageSection>
)

/** The value that the server sends for a variable that is not set. */
const NOT_SET = 'Not set'

/** Settings that come only from the environment, read-only. */
export const EnvironmentCard = ({ all }: Props) => (
  <PageSection title={texts.environment}>
    <Note>{texts.readOnlyTheseValuesCome}</Note>
    {all.environment.map(({ part, facts }) => (
      <Stack key={part} gap="sm">
        <Title order={3} fz="md">
          {part}
        </Title>
        <DataList labelWidth={280} withDivider>
          {facts.map(({ name, what, value }) => (
            <DataList.Item key={`${name} ${what}`}>
              <DataList.ItemLabel>
                {what} <Code>{name}</Code>
              </DataList.ItemLabel>
              <DataList.ItemValue
                c={value === NOT_SET ? 'var(--text-2)' : undefined}
                style={{ overflowWrap: 'anywhere' }}
              >
                {value}
              </DataList.ItemValue>
            </DataList.Item>
          ))}
        </DataList>
      </Stack>
    ))}
  </PageSection>
)

import { catalogue, members } from '@dubplate/contract'
import { Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { PageSection } from '../../admin/PageSection.tsx'
import { useTableSearch } from '../../admin/useTableSearch.ts'
import { format } from '../../format/message.ts'
import { InlineError } from '../../platform/InlineError.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { positiveInteger } from '../../platform/search-fields.ts'
import { useSession } from '../../platform/session.ts'
import { SearchField } from '../../ui/SearchField.tsx'
import type { ActionName } from './MemberHeader.tsx'
import { LINK_BUTTON } from './MemberRecords.tsx'
import { allowedActions, type MemberData } from './memberStatus.ts'
import * as texts from './texts.ts'

type Props = { data: MemberData; onAction: (action: ActionName) => void }

const STEP_NAMES: Record<members.DownloadStep['step'], string> = {
  account: texts.account,
  application: texts.application,
  session: texts.signInActivity,
  group: texts.group,
  payment: texts.payment,
  song: texts.song,
  file: texts.file,
  release: texts.headStart,
  limit: texts.limit,
}

/** Whether a member can download, or what prevents it and how to fix it. The version to check is in the URL. */
export function DownloadCheck({ data, onAction }: Props) {
  const { search, change } = useTableSearch({ version: positiveInteger })
  const { version } = search
  const input = { customer_id: data.member.customer_id, ...(version ? { song_version_id: version } : {}) }
  const query = useApiQuery(members.whyNoDownload, input, { keepPrevious: true })
  const { data: reply, error, isPlaceholderData, refetch } = query
  const checks = [...(reply?.steps ?? [])].sort((a, b) => Number(a.ok) - Number(b.ok))
  const problems = checks.filter(({ ok }) => !ok).length
  return (
    <PageSection
      title={texts.downloadCheck}
      actions={
        reply && (
          <Badge variant="light" size="lg" tt="none" color={problems ? 'var(--danger)' : 'var(--ok)'}>
            {problems ? format(texts.noProblemsCount, { problems }) : texts.yes}
          </Badge>
        )
      }
    >
      {error && !reply && (
        <InlineError alert error={error} subject={texts.theDownloadCheck} retry={() => void refetch()} />
      )}
      {!reply && !error && <Skeleton h={148} aria-busy />}
      <Stack component="ul" gap="sm" aria-busy={isPlaceholderData || undefined}>
        {checks.map((check) => (
          <Check key={check.step} check={check} remedy={<Remedy check={check} data={data} onAction={onAction} />} />
        ))}
      </Stack>
      {version ? (
        <Group gap="sm" justify="space-between">
          <Text fz="md">
            {reply?.version
              ? `${reply.version.artist} – ${reply.version.title} (${reply.version.version_label})`
              : format(texts.versionNumber, { version })}
          </Text>
          <Button {...LINK_BUTTON} onClick={() => change({ version: undefined }, { replace: true })}>
            {texts.checkAnotherVersion}
          </Button>
        </Group>
      ) : (
        <VersionChoice data={data} onChoose={(version) => change({ version }, { replace: true })} />
      )}
    </PageSection>
  )
}

const Check = ({ check: { step, ok, sentence }, remedy }: { check: members.DownloadStep; remedy: ReactNode }) => (
  <Group component="li" gap="sm" wrap="nowrap" align="flex-start" mih={24}>
    {ok ? (
      <IconCheck size={16} stroke={2.4} color="var(--ok)" style={{ flex: 'none', marginTop: 2 }} aria-hidden />
    ) : (
      <IconX size={16} stroke={2.4} color="var(--danger)" style={{ flex: 'none', marginTop: 2 }} aria-hidden />
    )}
    <Text fz="sm" w={92} fw={ok ? 400 : 580} style={{ flex: 'none' }}>
      <span className="sr">{ok ? texts.okPrefix : texts.problemPrefix}</span>
      {STEP_NAMES[step]}
    </Text>
    <Group gap="sm" align="flex-start" flex={1}>
      <Text fz="sm" c={ok ? 'var(--text-2)' : 'var(--text)'} flex="1 1 180px">
        {sentence}
      </Text>
      {!ok && remedy}
    </Group>
  </Group>
)

/** A button for what fixes a failed check, if the caller's role allows it. */
function Remedy({ check: { step, code }, data, onAction }: Props & { check: members.DownloadStep }) {
  const me = useSession(({ profile }) => profile)
  const { member, agreement } = data
  if (!me?.staff_role) return null
  const { canChange } = allowedActions(member, { customer_id: me.customer_id, staff_role: me.staff_role })
  const canOpenSales = me.staff_role === 'admin' || me.staff_role === 'billing'
  if (step === 'account' && code === 'account_suspended' && canChange)
    return (
      <Button {...LINK_BUTTON} onClick={() => onAction('lift')}>
        {texts.liftSuspensionMenuItem}
      </Button>
    )
  if (step === 'group' && canChange)
    return (
      <Button {...LINK_BUTTON} onClick={() => onAction('group')}>
        {texts.changeGroupMenuItem}
      </Button>
    )
  if (step === 'application' && member.application && me.staff_role !== 'billing') {
    const { state } = member.application
    return (
      <Button
        {...LINK_BUTTON}
        renderRoot={(props) => <Link {...props} to="/staff/applications" search={{ state, find: member.email }} />}
      >
        {texts.reviewApplication}
      </Button>
    )
  }
  if (step === 'payment' && agreement && canOpenSales) {
    const { subscription_id: subscriptionId } = agreement
    return (
      <Button
        {...LINK_BUTTON}
        renderRoot={(props) => (
          <Link {...props} to="/staff/subscriptions/$subscriptionId" params={{ subscriptionId }} />
        )}
      >
        {texts.viewSubscription}
      </Button>
    )
  }
  return null
}

const MIN_SEARCH_LENGTH = 3
const MAX_SONGS = 5

type ChoiceProps = { onChoose: (version: number) => void }

/** The versions to check: the member's newest downloads, or those of a song that is searched for. */
function VersionChoice({ data: { downloads }, onChoose }: ChoiceProps & { data: MemberData }) {
  const [text, setText] = useState<string>()
  return (
    <Stack gap="md">
      <Group>
        <SearchField label={texts.searchForASongTo} value={text ?? ''} onSearch={setText} />
      </Group>
      {text && text.length >= MIN_SEARCH_LENGTH ? (
        <SearchResults text={text} onChoose={onChoose} />
      ) : (
        downloads.newest.length > 0 && (
          <Group component="ul" gap="sm" aria-label={texts.recentDownloads}>
            {downloads.newest.map(({ download_id, song_version_id, title, version_label }) => (
              <li key={download_id}>
                <Button {...LINK_BUTTON} onClick={() => onChoose(song_version_id)}>
                  {title} ({version_label})
                </Button>
              </li>
            ))}
          </Group>
        )
      )}
    </Stack>
  )
}

function SearchResults({ text, onChoose }: ChoiceProps & { text: string }) {
  const { data, error, refetch } = useApiQuery(catalogue.searchSongs, { searchTerm: text }, { keepPrevious: true })
  if (error && !data)
    return <InlineError error={error} subject={texts.searchResultsInSentence} retry={() => void refetch()} />
  if (data?.songs.length === 0) return <Text c="var(--text-2)">{texts.noSongsMatchYourSearch}</Text>
  return (
    <Stack component="ul" gap="md" aria-label={texts.searchResults}>
      {data?.songs.slice(0, MAX_SONGS).map(({ entity_id, artist, title, version }) => (
        <li key={entity_id}>
          <Text fz="md" mb="xs">
            {artist} – {title}
          </Text>
          <Group gap="sm">
            {version.map(({ song_version_id, version_label }) => (
              <Button
                key={song_version_id}
                {...LINK_BUTTON}
                aria-label={`${title}, ${version_label}`}
                onClick={() => onChoose(song_version_id)}
              >
                {version_label}
              </Button>
            ))}
          </Group>
        </li>
      ))}
    </Stack>
  )
}

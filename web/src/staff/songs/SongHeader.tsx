import type { ReplyOf, staffSongs } from '@dubplate/contract'
import { ActionIcon, Avatar, Breadcrumbs, Button, Group, Menu, Text, Title } from '@mantine/core'
import {
  IconArrowsSplit,
  IconDots,
  IconEye,
  IconEyeOff,
  IconMusic,
  IconWaveSine,
  IconWorldUpload,
} from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Status, type Tone } from '../../admin/cells.tsx'
import { formatDate } from '../../format/dates.ts'
import { formatExactDate } from '../../format/format.ts'
import { format, rich } from '../../format/message.ts'
import { imageAt } from '../../platform/media.ts'
import { lazyOnDemand } from '../../ui/lazyOnDemand.tsx'
import { PublishDialog } from './PublishDialog.tsx'
import { reanalyse, type Song } from './songActions.ts'
import * as texts from './texts.ts'

const SplitDialog = lazyOnDemand(() => import('./SplitDialog.tsx').then((code) => code.SplitDialog))

type Props = { song: Song; uploader: ReplyOf<typeof staffSongs.getSong>['uploader'] }

const STATUSES: Record<Song['status'], { text: string; tone: Tone }> = {
  published: { text: texts.published, tone: 'ok' },
  unpublished: { text: texts.unpublished, tone: 'neutral' },
  draft: { text: texts.draft, tone: 'neutral' },
}

/** A song's title, artist and status, and the actions on the whole song. */
export function SongHeader({ song, uploader }: Props) {
  const { title, artist, image, status, unpublished_at, created_at } = song
  const { text, tone } = STATUSES[status]
  return (
    <>
      <Breadcrumbs fz="sm" c="var(--text-2)" aria-label={texts.breadcrumb} component="nav">
        <Link to="/staff/songs">{texts.songs}</Link>
        <span aria-current="page">{title}</span>
      </Breadcrumbs>
      <Group component="header" gap="lg" my="md" justify="space-between">
        <Group gap="lg" wrap="nowrap" miw={0} flex={{ base: '1 1 100%', sm: '1 1 0' }}>
          {/* The generated cover of an unpublished song cannot be loaded. */}
          <Avatar key={image} src={imageAt(image, 320)} alt="" size={72} radius="md" color="gray">
            <IconMusic size={26} stroke={1.6} aria-hidden />
          </Avatar>
          <div style={{ minWidth: 0 }}>
            <Group gap="md" fz="sm">
              <Title order={1} style={{ overflowWrap: 'anywhere' }}>
                {title}
              </Title>
              <Status tone={tone}>{text}</Status>
              {unpublished_at && (
                <Text span fz="sm" c="var(--text-2)" title={formatExactDate(unpublished_at)}>
                  {format(texts.since, { unpublished_at: formatDate(unpublished_at) })}
                </Text>
              )}
            </Group>
            <Text>{artist}</Text>
            <Text fz="sm" c="var(--text-2)">
              <span title={formatExactDate(created_at)}>
                {format(texts.added, { created_at: formatDate(created_at) })}
              </span>
              {uploader && (
                <>
                  {' · '}
                  {rich(texts.uploadedBy, {
                    dj_name: uploader.dj_name,
                    link: (inside) => (
                      <Link to="/staff/uploads" search={{ open: uploader.upload_song_id, state: 'published' }}>
                        {inside}
                      </Link>
                    ),
                  })}
                </>
              )}
            </Text>
          </div>
        </Group>
        <SongActions song={song} />
      </Group>
    </>
  )
}

function SongActions({ song }: { song: Song }) {
  const { entity_id: entityId, status } = song
  const [dialog, setDialog] = useState<'publish' | 'split'>()
  const navigate = useNavigate()
  const close = () => setDialog(undefined)
  const isPublished = status === 'published'
  return (
    <Group gap="sm" wrap="nowrap">
      {isPublished && (
        <Button
          variant="default"
          px="md"
          leftSection={<IconEye size={16} stroke={1.8} />}
          renderRoot={(props) => <Link {...props} to="/song/$entityId" params={{ entityId }} />}
        >
          {texts.viewAsMember}
        </Button>
      )}
      <Menu position="bottom-end" width={220} shadow="none">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={texts.moreActions}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconWaveSine size={16} stroke={1.8} />} onClick={() => void reanalyse([song])}>
            {texts.reAnalyse}
          </Menu.Item>
          <Menu.Item leftSection={<IconArrowsSplit size={16} stroke={1.8} />} onClick={() => setDialog('split')}>
            {texts.split}
          </Menu.Item>
          {isPublished ? (
            <Menu.Item
              c="var(--danger)"
              leftSection={<IconEyeOff size={16} stroke={1.8} />}
              onClick={() => setDialog('publish')}
            >
              {texts.unpublishMenuItem}
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<IconWorldUpload size={16} stroke={1.8} />} onClick={() => setDialog('publish')}>
              {texts.publishMenuItem}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog === 'publish' && <PublishDialog song={song} onClose={close} />}
      {dialog === 'split' && (
        <SplitDialog
          entityId={entityId}
          onClose={close}
          onDone={(entityId) => void navigate({ to: '/staff/songs/$entityId', params: { entityId } })}
        />
      )}
    </Group>
  )
}

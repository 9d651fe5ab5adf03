import { openings, site, sitePages } from '@dubplate/contract'
import { saveOpening } from '@dubplate/contract/schemas/openings'
import { Box, Checkbox, Group, Skeleton, Stack, TextInput, Title, UnstyledButton } from '@mantine/core'
import { IconBriefcase, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { MainCell, Status } from '../../admin/cells.tsx'
import { MarkdownInput } from '../../admin/MarkdownInput.tsx'
import { ResourceForm } from '../../admin/ResourceForm.tsx'
import { RowMenu } from '../../admin/RowMenu.tsx'
import { SidePanel, TablePage } from '../../admin/TablePage.tsx'
import { useTableSearch } from '../../admin/useTableSearch.ts'
import { format } from '../../format/message.ts'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { trimmedText } from '../../platform/search-fields.ts'
import { useApiMutation } from '../../platform/useApiMutation.ts'
import { useResourceForm } from '../../platform/useResourceForm.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { toast } from '../../ui/toast.ts'
import { PageForm } from './PageForm.tsx'
import { CAREERS } from './SitePages.tsx'
import * as texts from './texts.ts'

type Opening = openings.StaffOpening

/** In the URL: a new opening is being written; otherwise the number of the one that is open. */
const NEW = 'new'

const LISTS = [openings.getOpenings, site.getOpenings]

/** The page about working here, and the job openings below it. */
export function CareersPage() {
  const { search, change } = useTableSearch({ open: trimmedText })
  const pages = useApiQuery(sitePages.getPages, {})
  const query = useApiQuery(openings.getOpenings, {})
  const page = pages.data?.pages.find(({ slug }) => slug === CAREERS)
  const open = query.data?.openings.find(({ job_opening_id }) => String(job_opening_id) === search.open)
  const close = () => change({ open: undefined })
  return (
    <TablePage
      panel={
        (open || search.open === NEW) && (
          <SidePanel label={open?.title ?? texts.newJobOpening} onClose={close}>
            <OpeningForm key={open?.job_opening_id ?? NEW} opening={open} onClose={close} />
          </SidePanel>
        )
      }
    >
      <Box px="xl" py="md" flex={1} mih={0} style={{ overflowY: 'auto', '--form-ground': 'var(--bg)' }}>
        <Stack gap="xl">
          {pages.error && !pages.data && (
            <ErrorState error={pages.error} title={texts.couldntLoadPages} retry={() => void pages.refetch()} />
          )}
          {!pages.error && !page && <Skeleton h={480} />}
          {page && <PageForm page={page} />}
          <Stack component="section" aria-label={texts.jobOpenings} gap="md">
            <Group justify="space-between">
              <Title order={2}>{texts.jobOpenings}</Title>
              <Button onClick={() => change({ open: NEW })}>{texts.newJobOpening}</Button>
            </Group>
            {query.error && !query.data && (
              <ErrorState error={query.error} title={texts.couldntLoadJobOpenings} retry={() => void query.refetch()} />
            )}
            {!query.error && !query.data && <Skeleton h={56} />}
            {query.data?.openings.length === 0 && (
              <EmptyState icon={<IconBriefcase size={24} />} title={texts.noJobOpeningsYet}>
                {texts.theCareersPageShowsNo}
              </EmptyState>
            )}
            {query.data?.openings.map((opening) => (
              <OpeningRow
                key={opening.job_opening_id}
                opening={opening}
                onOpen={() => change({ open: opening.job_opening_id })}
              />
            ))}
          </Stack>
        </Stack>
      </Box>
    </TablePage>
  )
}

function OpeningRow({ opening, onOpen }: { opening: Opening; onOpen: () => void }) {
  const { job_opening_id, title, place, hours, apply_at, published } = opening
  const [isDeleting, setDeleting] = useState(false)
  const remove = useApiMutation(openings.removeOpening, {
    invalidates: LISTS,
    success: () => ({ message: format(texts.titleDeleted, { title }) }),
  })
  return (
    <Group wrap="nowrap">
      <UnstyledButton flex={1} miw={0} onClick={onOpen}>
        <MainCell
          title={title}
          text={[place, hours, apply_at || texts.applyViaContactPage].filter(Boolean).join(' · ')}
        />
      </UnstyledButton>
      <Status tone={published ? 'ok' : 'neutral'}>{published ? texts.published : texts.unpublished}</Status>
      <RowMenu
        row={opening}
        label={title}
        actions={[
          { label: texts.edit, icon: IconPencil, run: onOpen },
          { label: texts.deleteButton, icon: IconTrash, isDanger: true, run: () => setDeleting(true) },
        ]}
      />
      {isDeleting && (
        <ConfirmDialog
          title={texts.deleteJobOpening}
          what={format(texts.willBeDeletedToHide, { title })}
          confirmLabel={texts.deleteButton}
          isDanger
          onConfirm={() => remove.mutateAsync({ job_opening_id })}
          onClose={() => setDeleting(false)}
        />
      )}
    </Group>
  )
}

const NEW_OPENING = { title: '', place: '', hours: '', markdown: '', apply_at: '', published: true }

function OpeningForm({ opening, onClose }: { opening: Opening | undefined; onClose: () => void }) {
  const { job_opening_id, ...stored } = opening ?? { ...NEW_OPENING, job_opening_id: undefined }
  const form = useResourceForm({
    call: saveOpening,
    draftName: `opening.${job_opening_id ?? NEW}`,
    values: stored,
    toInput: (values) => ({ ...values, ...(job_opening_id !== undefined && { job_opening_id }) }),
    invalidates: LISTS,
    onSaved: ({ opening: { title, published } }) => {
      const where = published ? texts.itsOnTheCareersPage : texts.itIsntPublished
      void toast({ message: format(texts.titleSavedWhere, { title, where }) })
      onClose()
    },
  })
  const title = opening ? texts.editJobOpening : texts.newJobOpening
  const line = { maxLength: 120, autoComplete: 'off' }
  return (
    <ResourceForm form={form} label={title} onClose={onClose}>
      <Title order={2}>{title}</Title>
      <TextInput label={texts.title} data-autofocus {...line} {...form.field('title')} />
      <Group grow align="start">
        <TextInput label={texts.location} {...line} {...form.field('place', texts.aCityOrRemote)} />
        <TextInput label={texts.workingHours} {...line} {...form.field('hours', texts.forExampleFullTimeOr)} />
      </Group>
      <MarkdownInput label={texts.description} rows={10} {...form.field('markdown')} />
      <TextInput
        label={texts.howToApply}
        maxLength={500}
        spellCheck={false}
        {...form.field('apply_at', texts.emailAddressOrLinkLeave)}
      />
      <Checkbox label={texts.published} {...form.checkbox('published')} />
    </ResourceForm>
  )
}

import { corrections, staffSongs } from '@dubplate/contract'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { cappedCount } from '../../admin/cappedCount.ts'
import { count } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import { callApi } from '../../platform/api.ts'
import { lazyOnDemand } from '../../ui/lazyOnDemand.tsx'
import { toast, toastError } from '../../ui/toast.ts'
import { useAction } from '../../ui/useAction.ts'
import { changePublication } from './publishSongs.ts'
import type { Filters } from './SongFilters.tsx'
import { clearSelection, select, selectedSongs, selectOnly, useSelection } from './selection.ts'
import { reanalyse } from './songActions.ts'
import * as texts from './texts.ts'

const EditSongsDialog = lazyOnDemand(() => import('./EditSongsDialog.tsx').then((code) => code.EditSongsDialog))
const MergeDialog = lazyOnDemand(() => import('./MergeDialog.tsx').then((code) => code.MergeDialog))
const ReasonDialog = lazyOnDemand(() => import('../../admin/ReasonDialog.tsx').then((code) => code.ReasonDialog))

const { MAX_SELECTED_SONGS } = staffSongs

/** After a change of many songs their new revisions are unknown here, so they have to be selected again. */
function updateSelection({ changed, songs }: corrections.Outcome) {
  if (changed > corrections.MAX_RETURNED_SONGS) clearSelection()
  else select(songs, true)
}

/** Selects all songs that match the filters, or the newest of them if there are too many. */
async function selectAll(filters: Filters) {
  try {
    const { songs, total } = await callApi(staffSongs.selectSongs, filters)
    selectOnly(songs)
    if (total > songs.length)
      void toast({
        message: format(texts.selectedTheNewestOfSongs, { length: count(songs.length), total: cappedCount(total) }),
      })
  } catch (error) {
    void toastError(texts.couldntSelectSongs, error)
  }
}

type Props = { filters: Filters; total: number }

/** What can be done with the selected songs, also those on other pages. */
export function BulkActions({ filters, total }: Props) {
  const songs = selectedSongs(useSelection((selection) => selection.songs))
  const [dialog, setDialog] = useState<'edit' | 'unpublish' | 'restore' | 'merge'>()
  const [selectAllFound, isBusy] = useAction(() => selectAll(filters))
  const close = () => setDialog(undefined)
  const n = songs.length
  const isUnpublish = dialog === 'unpublish'
  return (
    <>
      {total > n && (
        <Button variant="default" loading={isBusy} onClick={selectAllFound}>
          {total > MAX_SELECTED_SONGS
            ? format(texts.selectNewestResults, { n: count(MAX_SELECTED_SONGS) })
            : format(texts.selectAllResults, { n: count(total) })}
        </Button>
      )}
      <Button onClick={() => setDialog('edit')}>{texts.edit}</Button>
      <Button variant="default" onClick={() => setDialog('unpublish')}>
        {texts.unpublishMenuItem}
      </Button>
      <Button variant="default" onClick={() => setDialog('restore')}>
        {texts.publishMenuItem}
      </Button>
      <Button variant="default" onClick={() => void reanalyse(songs)}>
        {texts.reAnalyse}
      </Button>
      {n > 1 && (
        <Button variant="default" onClick={() => setDialog('merge')}>
          {texts.mergeMenuItem}
        </Button>
      )}
      {dialog === 'edit' && <EditSongsDialog songs={songs} onClose={close} onDone={updateSelection} />}
      {dialog === 'merge' && (
        <MergeDialog entityIds={songs.map(({ entity_id }) => entity_id)} onClose={close} onDone={clearSelection} />
      )}
      {(dialog === 'unpublish' || dialog === 'restore') && (
        <ReasonDialog
          title={format(isUnpublish ? texts.unpublishSongsQuestion : texts.publishSongsQuestion, { n })}
          text={isUnpublish ? texts.theSongsDisappearFromLists : texts.theSongsReappearInLists}
          verb={isUnpublish ? texts.unpublish : texts.publish}
          hint={texts.savedInTheAuditLog}
          missingMessage={isUnpublish ? texts.enterAReasonYourColleagues : undefined}
          isDanger={isUnpublish}
          draftName={`songs.${dialog}`}
          onSend={async (reason) => updateSelection(await changePublication(dialog, songs, reason))}
          onClose={close}
        />
      )}
    </>
  )
}

import { Page } from '../ui/Page.tsx'

export const PlaylistView = () => <Page title="Playlist">{null}</Page>

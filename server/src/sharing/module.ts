import { defineModule } from '../module.ts'
import { serveEmbeds } from './embed-page.ts'
import { serveOembed } from './oembed.ts'

/** Previews of the pool's pages in other apps and sites: tags of shared links, oEmbed and the embedded player. */
export const sharing = defineModule({
  name: 'sharing',
  http: (app, ctx) => {
    serveOembed(app, ctx)
    serveEmbeds(app, ctx)
  },
})

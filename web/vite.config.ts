import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build, type ConfigEnv, defaultClientConditions, defineConfig, minify, type Plugin } from 'vite'
import { buildClient } from '../sdk/buildClient.ts'

const server = 'http://127.0.0.1:3000'

/** Asks for the one font in the first answer, whatever hash the build gave it, so that text rarely has to be drawn twice. */
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => file.endsWith('.woff2'))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: true },
            injectTo: 'head-prepend' as const,
          })),
    },
  }
}

/** What is made beside the page's own scripts and styles is left out with `--mode page`: a test measures the page alone, and often. */
const besidePage = (_: unknown, { command, mode }: ConfigEnv) => command === 'build' && mode !== 'page'

/** What runs before the first paint, without its comments. */
function minifyFirst(): Plugin {
  return {
    name: 'minify-first',
    apply: 'build',
    async generateBundle() {
      const fileName = 'theme.js'
      const { code } = await minify(fileName, readFileSync(join(import.meta.dirname, 'public', fileName), 'utf8'))
      this.emitFile({ type: 'asset', fileName, source: code })
    },
  }
}

/** What is smaller fits into a packet as it is. */
const packedFromBytes = 1_024

/** Beside each script and style sheet the same packed as well as it can be, for which a server has no time. */
function packAssets(): Plugin {
  return {
    name: 'pack-assets',
    apply: besidePage,
    writeBundle({ dir = '' }, bundle) {
      for (const fileName of Object.keys(bundle)) {
        if (!/^assets\/.*\.(js|css)$/.test(fileName)) continue
        const path = join(dir, fileName)
        const bytes = readFileSync(path)
        if (bytes.length < packedFromBytes) continue
        writeFileSync(`${path}.br`, brotliCompressSync(bytes))
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
      }
    },
  }
}

/** The price API's client as one readable file with its types beside it, for visitors to save and for pages to import. */
function offerPriceClient(): Plugin {
  return {
    name: 'offer-price-client',
    apply: besidePage,
    async generateBundle() {
      const entry = join(import.meta.dirname, '../sdk/index.ts')
      const built = await build({
        configFile: false,
        logLevel: 'error',
        build: { write: false, minify: false, target: 'es2022', lib: { entry, formats: ['es'] } },
      })
      const [output] = [built].flat()
      const chunk = output && 'output' in output ? output.output[0] : undefined
      if (!chunk) this.error(`${entry} built to nothing`)
      this.emitFile({ type: 'asset', fileName: 'price-client.mjs', source: chunk.code })
      const folder = mkdtempSync(join(tmpdir(), 'price-client-'))
      buildClient(folder)
      this.emitFile({ type: 'asset', fileName: 'price-client.d.mts', source: readFileSync(join(folder, 'index.d.ts'), 'utf8') })
      rmSync(folder, { recursive: true })
    },
  }
}

/** Whose code the server needs to draw; other parts come when a visitor asks for them, and are not drawn. */
const drawnParts = /\/(drawPage|MarketPages|ReceiptPage)\.tsx$/

/**
 * The same page for the server to draw, with all that it needs, in a folder that is not served: `.draw/drawPage.js`. It is of the same build
 * as the page that takes over what it draws.
 */
function buildForServer(): Plugin {
  return {
    name: 'build-for-server',
    apply: besidePage,
    async generateBundle() {
      const built = await build({
        configFile: false,
        root: import.meta.dirname,
        logLevel: 'error',
        plugins: [react()],
        define: { 'process.env.NODE_ENV': '"production"' },
        resolve: { conditions: sourceConditions, alias: nodeParts },
        ssr: { noExternal: true },
        build: {
          write: false,
          minify: true,
          target: 'node24',
          ssr: 'app/drawPage.tsx',
          rolldownOptions: { output: { codeSplitting: true } },
        },
      })
      const output = [built].flat().flatMap((one) => ('output' in one ? one.output : []))
      const chunks = new Map(output.flatMap((part) => (part.type === 'chunk' ? [[part.fileName, part] as const] : [])))
      const wanted = new Set<string>()
      const want = (file: string): void => {
        if (wanted.has(file)) return
        wanted.add(file)
        chunks.get(file)?.imports.forEach(want)
      }
      for (const { fileName, facadeModuleId } of chunks.values())
        if (facadeModuleId && drawnParts.test(facadeModuleId)) want(fileName)
      for (const [fileName, { code }] of chunks)
        if (wanted.has(fileName)) this.emitFile({ type: 'asset', fileName: `.draw/${fileName}`, source: code })
    },
  }
}

/** The service worker as one file of its own, with a mark of the build: another build is another worker. */
function offerWorker(): Plugin {
  return {
    name: 'offer-worker',
    apply: besidePage,
    async generateBundle(_, bundle) {
      const entry = Object.values(bundle).find((part) => part.type === 'chunk' && part.isEntry)?.fileName ?? ''
      const built = await build({
        configFile: false,
        logLevel: 'error',
        build: {
          ...{ write: false, target: 'es2022' },
          lib: { entry: join(import.meta.dirname, 'app/offline/serviceWorker.ts'), formats: ['es'] },
        },
      })
      const [output] = [built].flat()
      const chunk = output && 'output' in output ? output.output[0] : undefined
      if (!chunk) this.error('The service worker built to nothing')
      this.emitFile({ type: 'asset', fileName: 'service-worker.mjs', source: `// ${entry}\n${chunk.code}` })
    },
  }
}

// The verification of prices runs in a browser as it does in Node: these are the parts of Node that it uses.
const nodeParts = {
  'node:timers/promises': join(import.meta.dirname, 'verify/nodeTimers.ts'),
  'node:crypto': join(import.meta.dirname, 'verify/nodeCrypto.ts'),
}

/** Packages of this project are built from their source. */
const sourceConditions = ['chainboard-source', ...defaultClientConditions]

export default defineConfig({
  root: import.meta.dirname,
  // The price API's client as it is written here.
  resolve: { conditions: sourceConditions, alias: nodeParts },
  worker: { format: 'es' },
  plugins: [
    react(),
    tailwindcss(),
    preloadFont(),
    minifyFirst(),
    offerPriceClient(),
    buildForServer(),
    offerWorker(),
    packAssets(),
  ],
  build: {
    manifest: true,
    // Whose code is in the page, for the notices of an archive.
    license: { fileName: '.vite/license.json' },
    // Browsers that know light-dark(), on which both themes rest, and zoom.
    target: ['chrome123', 'edge123', 'firefox126', 'safari17.5'],
    modulePreload: { polyfill: false },
    // A data: font would be refused by the content security policy.
    assetsInlineLimit: 0,
    // What the first load needs is one file: whatever pages share with it, it does not fall into pieces that compress worse.
    rolldownOptions: {
      output: {
        codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] },
        // The first script names all others, and nothing in these hashes compresses.
        chunkFileNames: 'assets/[name]-[hash:6].js',
      },
    },
  },
  server: { proxy: { '/assets.json': server, '/highlighted.json': server, '/api': server, '/logos': server, '/rpc': server } },
})

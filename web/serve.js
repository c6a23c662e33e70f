// A server of web/dist for tests: the files of one folder, on a free port of this machine.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";

const KINDS = { ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".wasm": "application/wasm" };

/** Serves the files of folders by their names; returns the address and an end. */
export async function serve(...folders) {
  const server = createServer(async ({ url }, response) => {
    const name = url === "/" ? "index.html" : decodeURIComponent(url.slice(1));
    for (const folder of name.includes("/") ? [] : folders) {
      try {
        const bytes = await readFile(join(folder, name));
        return response.writeHead(200, { "Content-Type": KINDS[extname(name)] ?? "application/octet-stream" }).end(bytes);
      } catch {
        // The next folder may have it.
      }
    }
    response.writeHead(404).end();
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return { address: `http://127.0.0.1:${server.address().port}/`, end: () => server.close() };
}

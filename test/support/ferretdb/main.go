// Stands in for MongoDB in the tests: FerretDB on SQLite, inside one small program. It is built with the changes that ferretdb-build.ts makes.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/FerretDB/FerretDB/ferretdb"
)

func main() {
	port := flag.Int("port", 0, "port on 127.0.0.1; 0 takes a free one")
	folder := flag.String("folder", "", "existing folder that keeps the data")
	flag.Parse()
	if err := run(*port, *folder); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// errorsAlone leaves out what each statement would add to its lines: writing that ready costs a sixth of everything, and mostly nothing is logged.
type errorsAlone struct{ slog.Handler }

func (h errorsAlone) WithAttrs([]slog.Attr) slog.Handler { return h }

// run serves until SIGTERM, SIGINT, or the end of standard input, so that it never outlives who started it.
func run(port int, folder string) error {
	server, err := ferretdb.New(&ferretdb.Config{
		Listener: ferretdb.ListenerConfig{TCP: fmt.Sprintf("127.0.0.1:%d", port)},
		Handler:  "sqlite",
		// What was written outlives the end of this program, not that of the machine: enough here, and it waits for no disk.
		SQLiteURL: fmt.Sprintf("file:%s/?_pragma=synchronous(off)", folder),
		Logger:    slog.New(errorsAlone{slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})}),
	})
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	go func() { fmt.Println(server.MongoDBURI()) }()
	return server.Run(ctx)
}

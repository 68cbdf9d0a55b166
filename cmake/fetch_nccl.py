#!/usr/bin/env python3
"""fetch_nccl.py FOLDER

Puts nccl.h of the newest NCCL in the registry of Python wheels into FOLDER, for the tests in test/distributed, which
bring a stand-in for the library. The wheel has 200 MB, of which only the pieces around that file are read where its
server allows that. What is there stays: remove the folder for a newer one. Without pip or network it says so and does
nothing.
"""
import io
import json
import os
import subprocess
import sys
import tempfile
import urllib.request
import zipfile

HEADER = 'nvidia/nccl/include/nccl.h'
SECONDS = 20


class RemoteFile(io.RawIOBase):
    """A file behind an address, of which only the parts that are read are fetched."""

    def __init__(self, address):
        super().__init__()
        self.address = address
        self.place = 0
        with self.get('bytes=-1') as answer:
            self.size = int(answer.headers['Content-Range'].rpartition('/')[2])

    def get(self, which):
        request = urllib.request.Request(self.address, headers={'Range': which})
        answer = urllib.request.urlopen(request, timeout=SECONDS)
        if answer.status != 206:
            answer.close()
            raise OSError('the server sends no parts of files')
        return answer

    def seekable(self):
        return True

    def readable(self):
        return True

    def seek(self, offset, whence=io.SEEK_SET):
        self.place = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self.place, io.SEEK_END: self.size}[whence]
        return self.place

    def readinto(self, buffer):
        end = min(self.place + len(buffer), self.size)
        if end <= self.place:
            return 0
        with self.get(f'bytes={self.place}-{end - 1}') as answer:
            data = answer.read()
        buffer[:len(data)] = data
        self.place += len(data)
        return len(data)


def pip(*arguments):
    command = [sys.executable, '-m', 'pip', *arguments, '--quiet', '--disable-pip-version-check', '--no-deps',
               '--only-binary=:all:', '--timeout', str(SECONDS), '--retries', '1', 'nvidia-nccl-cu13']
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=120).stdout


def header_of_remote_wheel():
    report = json.loads(pip('install', '--dry-run', '--ignore-installed', '--report', '-'))
    address = report['install'][0]['download_info']['url']
    with zipfile.ZipFile(io.BufferedReader(RemoteFile(address), 1 << 18)) as wheel:
        return wheel.read(HEADER)


def header_of_downloaded_wheel():
    with tempfile.TemporaryDirectory() as folder:
        pip('download', '--dest', folder)
        with zipfile.ZipFile(os.path.join(folder, os.listdir(folder)[0])) as wheel:
            return wheel.read(HEADER)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    path = os.path.join(sys.argv[1], 'nccl.h')
    if os.path.exists(path):
        return
    # Whatever goes wrong with pip, the network or the wheel, there is then no header, as is said, and no test of it.
    try:
        try:
            header = header_of_remote_wheel()
        except Exception:  # an older pip, or a server that sends no parts
            header = header_of_downloaded_wheel()
    except Exception as error:
        print(f'no NCCL to compile with: {getattr(error, "stderr", None) or error}')
        return
    os.makedirs(sys.argv[1], exist_ok=True)
    with open(path + '.part', 'wb') as file:
        file.write(header)
    os.replace(path + '.part', path)


if __name__ == '__main__':
    main()
